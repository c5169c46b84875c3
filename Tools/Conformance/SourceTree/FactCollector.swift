import SwiftParser
import SwiftSyntax

extension Facts {
    /// Collects the facts about one file by parsing its source.
    public init(source: String) {
        let tree = Parser.parse(source: source)
        let collector = FactCollector(SourceLocationConverter(fileName: "", tree: tree))
        collector.walk(tree)
        self = collector.facts
    }
}

/// Walks a syntax tree once and collects its facts.
private final class FactCollector: SyntaxVisitor {
    var facts = Facts()
    private let converter: SourceLocationConverter
    private var types: [String] = []

    init(_ converter: SourceLocationConverter) {
        self.converter = converter
        super.init(viewMode: .sourceAccurate)
    }

    private func line(_ position: AbsolutePosition) -> Int { converter.location(for: position).line }
    private func line(_ node: some SyntaxProtocol) -> Int { line(node.positionAfterSkippingLeadingTrivia) }

    private func finding(_ text: String, _ node: some SyntaxProtocol) -> Finding {
        let own = line(node)
        var start = own
        var current = node.parent
        while let node = current {
            if node.is(CodeBlockItemSyntax.self) || node.is(MemberBlockItemSyntax.self) {
                start = line(node)
                // A one-line closure (`.map { try? $0() }`) belongs to the statement around it.
                guard let closure = node.parent?.parent?.as(ClosureExprSyntax.self),
                    line(closure.leftBrace) == own
                else { break }
            }
            current = node.parent
        }
        return Finding(text: text, line: own, statementLine: start)
    }

    // MARK: - Comments

    override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
        note(token.leadingTrivia, from: token.position)
        note(token.trailingTrivia, from: token.endPositionBeforeTrailingTrivia)
        if case .identifier(let name) = token.tokenKind, facts.identifiers[name] == nil {
            facts.identifiers[name] = line(token)
        }
        return .visitChildren
    }

    private func note(_ trivia: Trivia, from start: AbsolutePosition) {
        var position = start
        for piece in trivia {
            switch piece {
            case .lineComment(let text), .docLineComment(let text), .blockComment(let text),
                .docBlockComment(let text):
                let first = line(position)
                for (offset, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    facts.comments[first + offset, default: ""] += part
                }
            default: break
            }
            position += piece.sourceLength
        }
    }

    // MARK: - Imports and types

    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
        if let module = node.path.first?.name.text {
            let around = sequence(first: Syntax(node), next: \.parent)
            facts.imports.append(
                Import(
                    module: module, line: line(node.importKeyword),
                    isConditional: around.contains { $0.is(IfConfigClauseSyntax.self) }))
        }
        return .visitChildren
    }

    private func enter(_ name: String, _ node: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
        types.append(name)
        if !node.is(ExtensionDeclSyntax.self) { facts.declared.insert(name) }
        if attribute("Suite", in: node.attributes) != nil {
            facts.suites.append(TestSuite(types: types, requirements: requirements(in: node.attributes)))
        }
        return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node) }
    override func visitPost(_ node: StructDeclSyntax) { types.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node) }
    override func visitPost(_ node: ClassDeclSyntax) { types.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node) }
    override func visitPost(_ node: ActorDeclSyntax) { types.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enter(node.name.text, node) }
    override func visitPost(_ node: EnumDeclSyntax) { types.removeLast() }
    override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
        let requirements = node.memberBlock.members.count { !$0.decl.is(AssociatedTypeDeclSyntax.self) }
        facts.protocols.append(
            ProtocolDeclaration(name: node.name.text, line: line(node), requirements: requirements))
        return enter(node.name.text, node)
    }
    override func visitPost(_ node: ProtocolDeclSyntax) { types.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
        enter(node.extendedType.trimmedDescription, node)
    }
    override func visitPost(_ node: ExtensionDeclSyntax) { types.removeLast() }

    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
        facts.declared.insert(node.name.text)
        return .visitChildren
    }

    // MARK: - Literals and calls

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        facts.literals.append(literal(node))
        return .visitChildren
    }

    private func literal(_ node: StringLiteralExprSyntax) -> Literal {
        let text =
            node.representedLiteralValue
            ?? node.segments.map { segment in
                switch segment {
                case .stringSegment(let part): part.content.text
                case .expressionSegment: String(Literal.gap)
                }
            }.joined()
        return Literal(
            text: text, line: line(node), isMultiline: node.openingQuote.tokenKind == .multilineStringQuote,
            types: types)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let callee = callee(of: node.calledExpression)
        let arguments = node.arguments.map { argument in
            CallArgument(
                label: argument.label?.text, literals: ownLiterals(of: Syntax(argument.expression)),
                source: argument.expression.trimmedDescription)
        }
        for argument in node.arguments {
            if let value = number(argument.expression) {
                facts.numbers.append(
                    NumberArgument(
                        call: callee.name, label: argument.label?.text, value: value,
                        line: line(argument.expression)))
            }
        }
        facts.calls.append(
            Call(
                base: callee.base, name: callee.name, arguments: arguments,
                hasTrailingClosure: node.trailingClosure != nil, line: line(node)))
        return .visitChildren
    }

    private func callee(of expression: ExprSyntax) -> (base: String?, name: String) {
        if let member = expression.as(MemberAccessExprSyntax.self) {
            (member.base?.trimmedDescription ?? "", member.declName.baseName.text)
        } else if let generic = expression.as(GenericSpecializationExprSyntax.self) {
            callee(of: generic.expression)
        } else {
            (nil, expression.trimmedDescription)
        }
    }

    private func number(_ expression: ExprSyntax) -> String? {
        expression.as(IntegerLiteralExprSyntax.self)?.literal.text
            ?? expression.as(FloatLiteralExprSyntax.self)?.literal.text
    }

    private func ownLiterals(of node: Syntax) -> [Literal] {
        if let string = node.as(StringLiteralExprSyntax.self) { return [literal(string)] }
        if node.is(FunctionCallExprSyntax.self) || node.is(ClosureExprSyntax.self) { return [] }
        // Keys of subscripts (`names["title"]`) and sides of comparisons are not shown.
        if node.is(SubscriptCallExprSyntax.self) { return [] }
        if let ternary = node.as(TernaryExprSyntax.self) {
            return ownLiterals(of: Syntax(ternary.thenExpression)) + ownLiterals(of: Syntax(ternary.elseExpression))
        }
        if let sequence = node.as(SequenceExprSyntax.self) { return ownLiterals(ofSequence: sequence) }
        return node.children(viewMode: .sourceAccurate).flatMap { ownLiterals(of: $0) }
    }

    /// The literals of unfolded operators: in `a == "x" ? "y" : "z"` the part before `?` is a condition.
    private func ownLiterals(ofSequence sequence: SequenceExprSyntax) -> [Literal] {
        var literals: [Literal] = []
        for element in sequence.elements {
            if let ternary = element.as(UnresolvedTernaryExprSyntax.self) {
                literals = ownLiterals(of: Syntax(ternary.thenExpression))
            } else {
                literals += ownLiterals(of: Syntax(element))
            }
        }
        return literals
    }

    // MARK: - Shortcuts

    override func visit(_ node: ForceUnwrapExprSyntax) -> SyntaxVisitorContinueKind {
        facts.forced.append(finding("\(node.expression.trimmedDescription)!", node.exclamationMark))
        return .visitChildren
    }

    override func visit(_ node: TryExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.questionOrExclamationMark?.tokenKind {
        case .exclamationMark: facts.forced.append(finding("try!", node))
        case .postfixQuestionMark: facts.hiddenErrors.append(finding("try?", node))
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: AsExprSyntax) -> SyntaxVisitorContinueKind {
        noteCast(node.questionOrExclamationMark)
        return .visitChildren
    }

    override func visit(_ node: UnresolvedAsExprSyntax) -> SyntaxVisitorContinueKind {
        noteCast(node.questionOrExclamationMark)
        return .visitChildren
    }

    private func noteCast(_ mark: TokenSyntax?) {
        if let mark, mark.tokenKind == .exclamationMark { facts.forced.append(finding("as!", mark)) }
    }

    override func visit(_ node: AttributedTypeSyntax) -> SyntaxVisitorContinueKind {
        if attribute("unchecked", in: node.attributes) != nil {
            facts.uncheckedIsolation.append(finding(node.trimmedDescription, node))
        }
        return .visitChildren
    }

    override func visit(_ node: DeclModifierSyntax) -> SyntaxVisitorContinueKind {
        if node.name.text == "nonisolated", node.detail?.detail.text == "unsafe" {
            facts.uncheckedIsolation.append(finding("nonisolated(unsafe)", node))
        }
        return .visitChildren
    }

    // MARK: - Shared state

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let isStatic = node.modifiers.contains { ["static", "class"].contains($0.name.text) }
        let isGlobal = node.parent?.parent?.parent?.is(SourceFileSyntax.self) ?? false
        let isVariable = node.bindingSpecifier.text == "var"
        guard isStatic || isGlobal, attribute("TaskLocal", in: node.attributes) == nil else {
            return .visitChildren
        }
        for binding in node.bindings {
            let name = binding.pattern.trimmedDescription
            let isMutable = isVariable && !isComputed(binding)
            // Requirements of protocols store nothing.
            guard binding.accessorBlock == nil || binding.initializer != nil || isMutable else { continue }
            if isMutable || (isStatic && name == "shared") {
                facts.shared.append(
                    SharedState(
                        name: name, line: line(node.bindingSpecifier),
                        hasReason: node.leadingTrivia.contains {
                            if case .lineComment(let text) = $0 { text.hasPrefix("// Singleton:") } else { false }
                        }))
            }
        }
        return .visitChildren
    }

    private func isComputed(_ binding: PatternBindingSyntax) -> Bool {
        switch binding.accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let list):
            !list.contains { ["didSet", "willSet"].contains($0.accessorSpecifier.text) }
        }
    }

    // MARK: - Tests

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
        facts.functions.insert(node.name.text)
        if let attribute = attribute("Test", in: node.attributes) {
            let place = converter.location(for: attribute.attributeName.positionAfterSkippingLeadingTrivia)
            facts.tests.append(
                TestFunction(
                    name: displayName(attribute) ?? node.name.text, types: types, line: place.line,
                    column: place.column, requirements: requirements(in: node.attributes),
                    asserts: node.body.map(AssertionFinder.finds) ?? false))
        }
        return .visitChildren
    }

    private func attribute(_ name: String, in attributes: AttributeListSyntax) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }
            .first { $0.attributeName.trimmedDescription.split(separator: ".").last.map(String.init) == name }
    }

    private func arguments(_ attribute: AttributeSyntax) -> [LabeledExprSyntax] {
        if case .argumentList(let list) = attribute.arguments { Array(list) } else { [] }
    }

    private func displayName(_ attribute: AttributeSyntax) -> String? {
        guard let first = arguments(attribute).first, first.label == nil else { return nil }
        return first.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    private func requirements(in attributes: AttributeListSyntax) -> [String] {
        let marks = [attribute("Test", in: attributes), attribute("Suite", in: attributes)].compactMap { $0 }
        let calls = marks.flatMap(arguments).compactMap { $0.expression.as(FunctionCallExprSyntax.self) }
        return calls.filter { callee(of: $0.calledExpression).name == "requirement" }
            .flatMap { $0.arguments.flatMap { ownLiterals(of: Syntax($0.expression)) } }
            .map(\.text)
    }
}

/// Looks for an expectation that can fail in a test's body.
private final class AssertionFinder: SyntaxVisitor {
    private var found = false

    static func finds(in body: CodeBlockSyntax) -> Bool {
        let finder = AssertionFinder(viewMode: .sourceAccurate)
        finder.walk(body)
        return finder.found
    }

    private func note(_ name: String, _ arguments: LabeledExprListSyntax) {
        guard ["expect", "require"].contains(name) else { return }
        // `#expect(true)` cannot fail.
        let only = arguments.count == 1 ? arguments.first?.expression.as(BooleanLiteralExprSyntax.self) : nil
        if only?.literal.text != "true" { found = true }
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        note(node.macroName.text, node.arguments)
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
        note(node.macroName.text, node.arguments)
        return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression
        let name =
            called.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? called.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        if name.hasPrefix("expect") || name.hasPrefix("assert") || name == "confirmation"
            || called.trimmedDescription == "Issue.record"
        {
            found = true
        }
        return .visitChildren
    }
}
