public import DesignSystem
public import SwiftUI

/// The part of the app that carries out what people do on a screen: navigation, commands, the choice of files.
///
/// Views never reach the network. They tell their handler what a person wants.
@MainActor
public protocol ActionHandler: AnyObject, Sendable {
    /// Opens the page at a path, in place of the current one if `isReplacing` is set, as by a search.
    func open(_ path: String, isReplacing: Bool)
    /// Presents the page at a path in a sheet over the current page.
    func present(_ path: String)
    /// Opens an address outside of the product.
    func leave(for address: String)
    /// Asks the system for permission to show notifications.
    func allowNotifications()
    /// Runs a command, and stores it if it can wait for the network. The fields `recordedAt` and `sentAt` are filled in
    /// by the handler.
    func run(_ call: PTCommandCall, with extras: CommandExtras) async -> Outcome
    /// Lets a person choose files or photos. Returns none if the person cancels.
    func choose(_ request: FileRequest) async -> [ChosenFile]
    /// Loads the current page again.
    func reload() async
}

/// The result of a command for the person who ran it.
public enum Outcome: Hashable, Sendable {
    /// The server ran the command.
    case done(PTFeedback?)
    /// The command waits on the device for the network.
    case waiting
    /// The person canceled, so that nothing was sent.
    case canceled
    /// The server refused the command, with errors by the names of its fields.
    case refused(message: String, fields: [String: String])
}

/// The input of a command besides its plain fields.
public struct CommandExtras: Hashable, Sendable {
    /// The chosen values of fields for several choices, by their names.
    public var lists: [String: [String]]
    /// The chosen files, by the names of their fields.
    public var files: [String: [ChosenFile]]
    /// The path to which large files are sent in parts before the command; `nil` if they go with it.
    public var uploads: String?
    /// The passkey ceremony that comes before the command; `nil` for none.
    public var passkey: PTPasskeyCeremony?

    public init(
        lists: [String: [String]] = [:], files: [String: [ChosenFile]] = [:], uploads: String? = nil,
        passkey: PTPasskeyCeremony? = nil
    ) {
        self.lists = lists
        self.files = files
        self.uploads = uploads
        self.passkey = passkey
    }
}

/// The files that a field accepts.
public struct FileRequest: Hashable, Sendable {
    /// The accepted media types, such as `image/*`; all if empty.
    public var accept: [String]
    public var limit: Int
    /// The longer side in pixels to which photos are reduced; `nil` for other files.
    public var side: Int?

    public init(accept: [String] = [], limit: Int = 1, side: Int? = nil) {
        self.accept = accept
        self.limit = limit
        self.side = side
    }
}

/// A file that a person chose. The handler has its content.
public struct ChosenFile: Hashable, Sendable, Identifiable {
    public let id: String
    public let name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// The content of a page that comes from outside of ScreenUI: tools of the device, players, pictures of the session.
@MainActor
public protocol HostedContent: AnyObject, Sendable {
    /// Returns the native view of an island; `nil` for an island that only has a script.
    func nativeView(for island: PTIsland) -> AnyView?
    /// Returns a player for the video; `nil` if the video cannot be played here.
    func player(for video: PTVideo) -> AnyView?
    /// Returns a player for the recording; `nil` if it cannot be played here.
    func player(for audio: PTAudio) -> AnyView?
    /// Loads a picture with the person's session; `nil` if it cannot be loaded.
    func picture(at address: String) async -> Image?
    /// Gives the app a file that was made on a page, so that a command can send it; `nil` if the app cannot.
    func hold(_ file: MadeFile) async -> ChosenFile?
    /// Returns the content of a sheet as a view over which the tools of the device can be presented.
    func presenting(over view: AnyView) -> AnyView
}
