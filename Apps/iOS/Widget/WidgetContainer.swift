public import Foundation
public import ShellModel
import WidgetKit

/// The file that the app shares with its widgets: what the server says that they show.
///
/// The app writes the file after it has read `/api/v1/widget`, and removes it when the person signs out. Widgets never reach
/// the network.
public struct WidgetContainer: Sendable {
    /// The content of the file.
    public struct Content: Codable, Sendable, Hashable {
        /// The address of the person's server, to which the links belong.
        public let server: URL
        public let data: SharedWidgetData

        public init(server: URL, data: SharedWidgetData) {
            self.server = server
            self.data = data
        }
    }

    /// The key of the group's name in the Info.plist of the app and of the extension.
    public static let groupKey = "PinkTowerAppGroup"
    private let file: URL

    /// - Parameter folder: the folder that the app and its widgets share.
    public init(folder: URL) { file = folder.appending(path: "widget.json") }

    /// The container of the group that an Info.plist names; `nil` if the program is not in the group.
    public init?(group: String?) {
        guard let group,
            let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
        else { return nil }
        self.init(folder: folder)
    }

    /// Returns the content of the file; `nil` if there is none. Throws if the file cannot be read.
    public func read() throws -> Content? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    }

    /// Replaces the content of the file, and lets the widgets show it.
    ///
    /// A document in a form that this version of the app does not know changes nothing, so the last one is still shown.
    public func write(_ content: Content) throws {
        guard content.data.version <= SharedWidgetData.version else { return }
        try JSONEncoder().encode(content).write(to: file, options: .atomic)
        WidgetCenter.shared.reloadAllTimelines()
    }

    /// Removes the file, and lets the widgets show that nobody is signed in.
    public func clear() throws {
        if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
        WidgetCenter.shared.reloadAllTimelines()
    }
}
