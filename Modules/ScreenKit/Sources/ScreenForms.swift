public import DesignSystem
import Domain
public import FeatureKit
public import Foundation

extension RequestContext {
    /// Returns a new idempotency key for the controls of a page.
    ///
    /// All controls can share it, because a request is identified by the key together with the command and its whole
    /// input.
    public func newKey() -> String { ids.id(at: now).text }
}

extension ScreenRequest {
    /// Returns a control that runs a command.
    /// - Parameter parameters: the values of the parameters in the command's path.
    public func call<C: Command>(
        _ type: C.Type, _ parameters: [String: String] = [:], fields: [String: String] = [:],
        confirmation: PTConfirmation? = nil, to: String? = nil, haptics: Haptics? = nil
    ) -> PTCommandCall {
        PTCommandCall(
            path: C.contract.path(filling: parameters), fields: fields, confirmation: confirmation,
            key: key, to: to, haptics: haptics, isQueued: C.contract.isOfflineCapable)
    }

    /// Returns the links that other feature blocks place at a position of this page.
    /// - Parameter ids: the values of the parameters in their paths: `["personId": id]`.
    public func links(_ placement: NavigationPlacement, _ ids: [String: UUID] = [:]) -> [PTLinks.Link] {
        entries(placement, ids).map { PTLinks.Link(title: words($0.title), action: .open($1)) }
    }

    /// Returns the links that other feature blocks place at a position of this page, as chips with icons.
    public func chips(_ placement: NavigationPlacement, _ ids: [String: UUID] = [:]) -> [PTChips.Chip] {
        entries(placement, ids).map {
            PTChips.Chip(title: words($0.title), icon: $0.icon, action: .open($1))
        }
    }

    /// Returns the links that other feature blocks place at a position of this page, as items of a menu.
    public func menuItems(_ placement: NavigationPlacement, _ ids: [String: UUID] = [:]) -> [PTMenuItem] {
        entries(placement, ids).map {
            PTMenuItem(title: words($0.title), icon: $0.icon, action: .open($1))
        }
    }

    /// The entries at a placement, with their paths filled in.
    private func entries(
        _ placement: NavigationPlacement, _ ids: [String: UUID]
    ) -> [(entry: NavigationEntry, path: String)] {
        navigation.filter { $0.placement == placement }.map { entry in
            (entry, ids.reduce(entry.path) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value.text) })
        }
    }

    /// Returns the content of the sections that other feature blocks add to a page about one thing, such as a student,
    /// in their order.
    public func sections(about subject: PageSubject, _ id: UUID) async throws -> [Component] {
        var all: [Component] = []
        for section in sections where section.subject == subject { all += try await section.make(id, self) }
        return all
    }

    /// Returns the topics of changes after which the sections of other feature blocks on a page are refreshed.
    public func topics(about subject: PageSubject, _ id: UUID) -> [String] {
        Array(Set(sections.filter { $0.subject == subject }.flatMap { $0.topics(id) })).sorted()
    }

    /// Returns a page with the list of pages to which it belongs. A page of the list that has no Back button gets one
    /// to the list's first page.
    ///
    /// - Parameters:
    ///   - tab: the tab of the page's route.
    ///   - features: the feature blocks, one of which may have a list for the tab.
    public func withSidebar(_ screen: Screen, tab: String?, of features: [Feature]) -> Screen {
        guard screen.layout == .page, let tab,
            let sidebar = features.lazy.compactMap({ $0.pages.sidebars[tab] }).first?(self)
        else { return screen }
        var screen = screen
        screen.sidebar = sidebar
        if screen.back == nil, !sidebar.isFirst { screen.back = sidebar.path }
        return screen
    }

    /// Returns a form for a command. After a refusal it contains what was typed, with its faults.
    public func form<C: Command>(
        _ type: C.Type, _ parameters: [String: String] = [:], id: String, fields: [PTField],
        submit: SubmitButton, alternate: SubmitButton? = nil, secondary: PTButton? = nil, to: String? = nil,
        style: PTForm.Style = .plain,
        confirmation: PTConfirmation? = nil
    ) -> PTForm {
        var form = PTForm(
            id: id, action: C.contract.path(filling: parameters), fields: fields, submit: submit,
            alternate: alternate, secondary: secondary, key: key, to: to, style: style,
            confirmation: confirmation,
            isQueued: C.contract.isOfflineCapable && alternate?.action?.isQueued != false)
        guard let refused, [form.action, alternate?.action?.path].contains(refused.command) else { return form }
        form.fields = fields.map { field in
            var field = field
            let typed = refused.typed[field.name]
            switch field.kind {
            case .toggle: field.value = typed == nil ? "false" : "true"
            case .multipleChoice: field.values = (typed ?? "").split(separator: "\u{1F}").map(String.init)
            case .hidden, .file, .password, .newPassword: break
            default: field.value = typed ?? field.value
            }
            field.error =
                refused.problem.faults.first { $0.field == field.name || $0.field.hasPrefix("\(field.name)[") }?
                .sentence(words)
            return field
        }
        let shown = Set(form.fields.filter { $0.error != nil }.map(\.name))
        let rest = refused.problem.faults.filter { fault in !shown.contains { fault.field.hasPrefix($0) } }
        if refused.problem.faults.isEmpty {
            form.error = refused.problem.sentence(words)
        } else if !rest.isEmpty {
            form.error = rest.map { $0.sentence(words) }.joined(separator: " ")
        }
        return form
    }
}
