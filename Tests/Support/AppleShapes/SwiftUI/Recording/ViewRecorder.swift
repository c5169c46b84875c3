import Observation

/// Evaluates views of the app without a device, keeps their state, and counts the bodies that it evaluates.
///
/// A view is evaluated again only if SwiftUI would: its values changed, or a state, an environment value or an observed
/// object that it used. Values are compared field by field, and with `==` in an `EquatableView`; a field that cannot be
/// compared, such as a closure, counts as changed, so that the count is never lower than on a device.
@MainActor
public final class ViewRecorder {
    /// The values with which the tree begins. A change has its effect at the next recording.
    public var environment: EnvironmentValues
    /// The number of evaluated bodies, by the names of the views.
    public private(set) var evaluations: [String: Int] = [:]
    /// Uses of SwiftUI that a device ignores, refuses or warns about, a sentence each.
    public private(set) var faults: [String] = []
    /// The haptic feedback that was played, in its order.
    public internal(set) var played: [SensoryFeedback] = []
    /// The ids to which scroll views were scrolled by program, in their order.
    public internal(set) var scrolls: [AnyHashable] = []

    /// The character between the path of a view and the name of its state, which no id contains.
    static let mark: Character = "\u{1}"
    private var states: [String: Any] = [:]
    private var memos: [String: Memo] = [:]
    private var visited: Set<String> = []
    private var skipped: [String] = []
    private var changed: Set<String> = []
    private var later: [@MainActor () -> Void] = []
    /// The actions of places for the time when they leave the tree.
    private var departures: [String: @MainActor () -> Void] = [:]
    private var depth = 0

    /// What the last evaluation of a view's body used and returned.
    private struct Memo {
        let view: any View
        let environment: EnvironmentValues
        let body: any View
        var node: RecordedView
    }

    public init(environment: EnvironmentValues = EnvironmentValues()) { self.environment = environment }

    /// Evaluates a view and everything in it.
    public func record(_ view: some View) -> RecordedView {
        visited = []
        skipped = []
        let context = RecordingContext(recorder: self, environment: environment, path: "")
        var root = RecordedView("root", in: context)
        root.children = nodes(of: view, in: context.step("0"))
        changed = []
        let seen = visited
        let roots = skipped
        func isThere(_ path: String) -> Bool {
            seen.contains(path) || roots.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        // A view that left the tree loses its state.
        memos = memos.filter { isThere($0.key) }
        states = states.filter { isThere(String($0.key.prefix { $0 != Self.mark })) }
        let gone = departures.filter { !isThere($0.key) }
        departures = departures.filter { isThere($0.key) }
        let actions = later + gone.sorted { $0.key < $1.key }.map(\.value)
        later = []
        for action in actions { action() }
        return actions.isEmpty || changed.isEmpty ? root : record(view)
    }

    /// Forgets the counts of evaluated bodies.
    public func resetEvaluations() { evaluations = [:] }

    func nodes(of view: any View, in context: RecordingContext, isEquatable: Bool = false) -> [RecordedView] {
        if let primitive = view as? any RecordedPrimitive { return primitive.record(in: context) }
        return composite(view, in: context, isEquatable: isEquatable)
    }

    private func composite(
        _ view: some View, in context: RecordingContext, isEquatable: Bool
    ) -> [RecordedView] {
        let path = context.path
        visited.insert(path)
        let name = String(describing: type(of: view)).prefix { $0 != "<" }.description
        if let memo = memos[path], !changed.contains(path), memo.environment.isSame(as: context.environment),
            Sameness.areSame(memo.view, view, byEquality: isEquatable)
        {
            if !changed.contains(where: { $0.hasPrefix(path + "/") }) {
                skipped.append(path)
                return [memo.node]
            }
            // Something in the view changed, but not what its body depends on.
            var node = memo.node
            node.children = nodes(of: memo.body, in: context.step("body"))
            memos[path]?.node = node
            return [node]
        }
        link(view, at: path, in: context.environment)
        evaluations[name, default: 0] += 1
        let body = tracking(path) {
            depth += 1
            defer { depth -= 1 }
            return view.body
        }
        var node = RecordedView(name, in: context)
        node.children = nodes(of: body, in: context.step("body"))
        memos[path] = Memo(view: view, environment: context.environment, body: body, node: node)
        return [node]
    }

    /// Connects the states and the environment of a view or modifier with its place.
    func link(_ owner: Any, at path: String, in environment: EnvironmentValues) {
        for child in Mirror(reflecting: owner).children {
            guard let linked = child.value as? any LinkedProperty else { continue }
            linked.link(to: self, at: "\(path)\(Self.mark)\(child.label ?? "")", of: path, in: environment)
        }
    }

    /// Notes a place as changed when an observed object that `work` reads changes.
    func tracking<Result>(_ path: String, _ work: () -> Result) -> Result {
        withObservationTracking(work) { [weak self] in
            // The app changes what its views observe on the main actor only.
            MainActor.assumeIsolated { _ = self?.changed.insert(path) }
        }
    }

    /// Notes that a place with a state of its own is in the tree.
    func visit(_ path: String) { visited.insert(path) }

    // MARK: - State

    func state<Value>(at key: String, initial: Value) -> Value {
        // In two steps, because an absent value would be cast to an optional state.
        if let stored = states[key], let value = stored as? Value { return value }
        states[key] = initial
        return initial
    }

    /// Returns the object of a place, such as a view controller, which is made once.
    func object<Value>(at key: String, make: () -> Value) -> Value {
        if let stored = states[key] as? Value { return stored }
        let made = make()
        states[key] = made
        return made
    }

    func setState<Value>(_ value: Value, at key: String, of path: String) {
        // An equal value changes nothing.
        if let old = states[key], Sameness.areSame(old, value as Any) { return }
        if depth > 0 { fault("\(key) was changed while a body was evaluated") }
        states[key] = value
        changed.insert(path)
    }

    /// Records a use that has no effect on a device.
    func fault(_ sentence: String) { faults.append(sentence) }

    /// Runs an action when a place has left the tree.
    func leave(_ path: String, _ action: @escaping @MainActor () -> Void) {
        visited.insert(path)
        departures[path] = action
    }

    /// Remembers a value, and runs an action after the recording if it differs from the last one.
    func observe<Value: Equatable>(
        _ value: Value, at path: String, initial: Bool, _ action: @escaping @MainActor (Value, Value) -> Void
    ) {
        visited.insert(path)
        let key = "\(path)\(Self.mark)value"
        if let stored = states[key], let last = stored as? Value {
            if last != value { later.append { action(last, value) } }
        } else if initial {
            later.append { action(value, value) }
        }
        states[key] = value
    }
}

/// A view that the shapes evaluate themselves. It has no body.
@MainActor
public protocol RecordedPrimitive: View where Body == Never {
    /// Returns the elements of the view: none, one, or several as of a group.
    func record(in context: RecordingContext) -> [RecordedView]
}

extension RecordedPrimitive {
    public var body: Never { fatalError("\(Self.self) is recorded and has no body") }
}

/// The place in the tree that is being evaluated.
@MainActor
public struct RecordingContext {
    let recorder: ViewRecorder
    var environment: EnvironmentValues
    var path: String
    /// Whether the element is a row of a list, the only place where a swipe reveals actions.
    var isRow = false
    /// Whether the element is in the label of a button.
    var isInLabel = false
    /// Whether the element is somewhere in a row of a list.
    var isInList = false

    init(recorder: ViewRecorder, environment: EnvironmentValues, path: String) {
        self.recorder = recorder
        self.environment = environment
        self.path = path
    }

    func step(_ name: String) -> RecordingContext {
        var next = self
        next.path += "/" + name
        return next
    }

    func nodes(of view: any View, _ step: String) -> [RecordedView] {
        recorder.nodes(of: view, in: self.step(step))
    }
}

/// A property wrapper whose value comes from the tree, not from the view.
@MainActor
protocol LinkedProperty {
    func link(to recorder: ViewRecorder, at key: String, of path: String, in environment: EnvironmentValues)
}

/// The comparison of two values of a view.
@MainActor
enum Sameness {
    static func areSame(_ left: any View, _ right: any View, byEquality: Bool) -> Bool {
        guard type(of: left) == type(of: right) else { return false }
        if byEquality, let left = left as? any Equatable { return isEqual(left, right) }
        let fields = Mirror(reflecting: left).children
        let others = Mirror(reflecting: right).children
        return fields.count == others.count
            && zip(fields, others).allSatisfy { field, other in
                field.value is any LinkedProperty || areSame(field.value, other.value)
            }
    }

    static func areSame(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any Equatable { return isEqual(left, right) }
        let (one, other) = (Mirror(reflecting: left), Mirror(reflecting: right))
        if one.displayStyle == .optional, other.displayStyle == .optional {
            guard let value = one.children.first?.value, let second = other.children.first?.value else {
                return one.children.isEmpty && other.children.isEmpty
            }
            return areSame(value, second)
        }
        if type(of: left) is AnyClass { return left as AnyObject === right as AnyObject }
        return false
    }

    private static func isEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
        (right as? Value).map { $0 == left } ?? false
    }
}
