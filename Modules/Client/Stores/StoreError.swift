public import Domain
public import Foundation

/// The errors that stores throw and show.
public enum StoreError: Error, Sendable, Hashable {
    case roomNotFound
    case studentNotFound
    case userNotAuthenticated
    case messageNotFound
    case leaveNotFound
    case mealNotFound
    /// The person looks at no residence.
    case noResidence
    /// Changes wait to be sent; signing out would lose them.
    case unsentChanges(Int)
    /// The server refused, with its sentence for the person.
    case refused(Refusal)
    case unreachable
    /// The server cannot be reached, and what was sent does not wait: the person sends it again.
    case notSent
    /// The server cannot be reached, and the files of the form are too large to wait: the number is the limit in MB.
    case filesTooLarge(Int)
    /// The server cannot be reached, and the files of all forms that wait would be too large: the number is the limit in
    /// MB.
    case tooManyFilesWait(Int)
    /// The device cannot store the change.
    case notStored(String)

    /// Returns the error of a store, of the connection, or of the device.
    public init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case APIError.refused(let refusal): self = .refused(refusal)
        case APIError.signInNeeded: self = .userNotAuthenticated
        case is APIError, is CancellationError: self = .unreachable
        default: self = .notStored(String(describing: error))
        }
    }

    /// Returns the error of something that does not wait on the device for the network.
    public init(unsent error: any Error) {
        self.init(error)
        if self == .unreachable { self = .notSent }
    }

    /// Returns the sentence for the person. A refusal has the server's own sentence.
    public func message(_ words: Words) -> String {
        switch self {
        case .roomNotFound: words("client.error.roomNotFound")
        case .studentNotFound: words("client.error.studentNotFound")
        case .userNotAuthenticated: words("client.error.userNotAuthenticated")
        case .messageNotFound: words("client.error.messageNotFound")
        case .leaveNotFound: words("client.error.leaveNotFound")
        case .mealNotFound: words("client.error.mealNotFound")
        case .noResidence: words("client.error.noResidence")
        case .unsentChanges(let count): words("client.error.unsentChanges", count)
        case .refused(let refusal): refusal.errors?.first?.message ?? refusal.title
        case .unreachable: words("client.error.unreachable")
        case .notSent: words("client.error.notSent")
        case .filesTooLarge(let megabytes): words("client.error.filesTooLarge", megabytes)
        case .tooManyFilesWait(let megabytes): words("client.error.tooManyFilesWait", megabytes)
        case .notStored: words("client.error.notStored")
        }
    }
}

extension StoreError: LocalizedError {
    /// The sentence in the language of the device.
    public var errorDescription: String? { message(ClientWords.current) }
}

/// The client's texts.
public enum ClientWords {
    /// Returns the texts in a language. Without the resources of the module, keys stand for texts.
    public static func words(_ language: Language) -> Words { Words(language, catalog.map { [$0] } ?? []) }

    /// The texts in the language of the device.
    public static var current: Words {
        words(Language(acceptLanguage: Locale.preferredLanguages.joined(separator: ",")))
    }

    private static let catalog: StringCatalog? = {
        // An app without the module's resources still works; its texts show as keys, which its own tests find.
        try? StringCatalog(in: .module)
    }()
}
