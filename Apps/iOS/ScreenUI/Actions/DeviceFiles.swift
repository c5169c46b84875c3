public import DesignSystem
public import Foundation
public import Observation
public import SwiftUI

/// A file that a tool of the device made, such as a scan or a drawing.
public struct MadeFile: Hashable, Sendable {
    public let name: String
    public let mediaType: String
    public let content: Data

    public init(name: String, mediaType: String, content: Data) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }

    /// Writes the file to the device's folder for temporary files, from which it can be shared.
    public func writeTemporary() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: name)
        try content.write(to: file)
        return file
    }
}

/// A file that a person chose, as a copy that belongs to the app.
public struct PickedFile: Hashable, Sendable {
    public let name: String
    public let mediaType: String
    /// The place of the copy.
    public let content: URL

    public init(name: String, mediaType: String, content: URL) {
        self.name = name
        self.mediaType = mediaType
        self.content = content
    }
}

/// Loads files of the server with the person's session.
@MainActor
public protocol SessionFiles: AnyObject, Sendable {
    /// Returns a file on the device with the content at a path of the server; `nil` if it cannot be loaded.
    func file(at path: String) async -> URL?
}

/// Files that were made on a page, until the form with their field takes them.
@MainActor @Observable
public final class PageFiles {
    private var offered: [String: [ChosenFile]] = [:]
    /// The number of files that were offered so far.
    private(set) var count = 0

    public init() {}

    /// Offers a file to the form that has a file field with a name.
    public func offer(_ file: ChosenFile, to field: String) {
        offered[field, default: []].append(file)
        count += 1
    }

    /// Returns the files that were offered to a field, which are then no longer offered.
    func take(_ field: String) -> [ChosenFile] { offered.removeValue(forKey: field) ?? [] }
}

extension PageFiles: Equatable {
    /// Whether both are the files of the same page, so that a view is not evaluated again without a reason.
    nonisolated public static func == (left: PageFiles, right: PageFiles) -> Bool { left === right }
}

extension EnvironmentValues {
    /// The files that were made on the page; `nil` outside of a page.
    public var pageFiles: PageFiles? {
        get { self[PageFilesKey.self] }
        set { self[PageFilesKey.self] = newValue }
    }
}

private enum PageFilesKey: EnvironmentKey {
    static var defaultValue: PageFiles? { nil }
}

extension HostedContent {
    /// Returns the native view of an island; `nil` for an island that only has a script.
    public func nativeView(for island: PTIsland) -> AnyView? { nil }

    /// Gives the app a file that was made on a page, so that a command can send it; `nil` if the app cannot.
    public func hold(_ file: MadeFile) async -> ChosenFile? { nil }

    /// Returns a view over which the tools of the device can be presented; the view itself without tools.
    public func presenting(over view: AnyView) -> AnyView { view }
}

/// A wide button of a native view or a tool of the device, whose action is no command.
public struct ToolButton: View {
    private let title: String
    private let icon: PTIcon?
    private let role: PTButton.Role
    private let action: @MainActor () -> Void

    public init(
        title: String, icon: PTIcon? = nil, role: PTButton.Role = .tonal, action: @escaping @MainActor () -> Void
    ) {
        self.title = title
        self.icon = icon
        self.role = role
        self.action = action
    }

    public var body: some View {
        Button(action: action) { TitleView(title: title, icon: icon) }
            .buttonStyle(RoleButtonStyle(role: role, size: .large, isWide: true))
    }
}
