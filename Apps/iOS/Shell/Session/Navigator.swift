public import DesignSystem
public import Foundation
public import Observation

/// A place in the app: a page of the server by its address.
public struct Place: Hashable, Identifiable, Sendable {
    public let address: String
    public var id: String { address }

    public init(_ address: String) { self.address = address }
}

/// The place of the person in the app: the tab, and the pages that were opened in each tab.
@MainActor @Observable
public final class Navigator {
    /// The tabs that the server sends for the person's role; none until the first page was read.
    public private(set) var tabs: [PTNavigationEntry] = []
    /// The frame of the last page: the menus, the account, the unread notifications.
    public private(set) var chrome: PageChrome?
    /// The path of the selected tab.
    public var selected = "/"
    /// The pages that were opened in each tab, by its path, the last one in front.
    public var stacks: [String: [Place]] = [:]
    /// The page that is presented over the others.
    public var sheet: Place?
    /// An address that another app opens. The view that opens it sets it to `nil`.
    public var outside: URL?

    /// The pages of the selected tab.
    public var stack: [Place] {
        get { stacks[selected] ?? [] }
        set { stacks[selected] = newValue }
    }

    /// Takes the frame that came with a page.
    ///
    /// - Parameter address: The address of the page after redirects, which begins with the first tab.
    func take(_ chrome: PageChrome, at address: String) {
        self.chrome = chrome
        guard chrome.navigation.map(\.path) != tabs.map(\.path) else { return tabs = chrome.navigation }
        let isFirst = tabs.isEmpty
        tabs = chrome.navigation
        if isFirst {
            // What was opened before the tabs were known, such as by a link, stays in front.
            let opened = stacks.removeValue(forKey: selected) ?? []
            selected = (tabs.first { $0.path == Self.path(address) } ?? tabs.first)?.path ?? selected
            if !opened.isEmpty { stacks[selected] = opened }
        } else if !tabs.contains(where: { $0.path == selected }) {
            selected = tabs.first?.path ?? selected
        }
    }

    /// Opens the page at an address: a tab, or a page in the present one.
    func open(_ address: String, isReplacing: Bool) {
        sheet = nil
        if tabs.contains(where: { $0.path == address }) {
            selected = address
            stacks[address] = []
        } else if isReplacing, !stack.isEmpty {
            stack[stack.count - 1] = Place(address)
        } else if stack.last?.address != address {
            stack.append(Place(address))
        }
    }

    private static func path(_ address: String) -> String { String(address.prefix { !"?#".contains($0) }) }
}
