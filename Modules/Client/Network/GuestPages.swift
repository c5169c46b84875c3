/// The pages of a server that people see before they sign in, such as that for a new account.
@MainActor
public protocol GuestPages {
    /// Reads a page. Throws `APIError`.
    ///
    /// The answer has another address than the request if the server leads elsewhere, such as to the sign-in.
    ///
    /// - Parameter accept: The media type in which the app reads pages.
    func page(at address: String, accept: String) async throws -> APIAnswer
    /// Runs a command of such a page. Throws `APIError`.
    func run(_ command: PageCommand) async throws -> GuestAnswer
}

/// The server's answer to the command of a page that people see before they sign in.
public struct GuestAnswer: Sendable, Hashable {
    /// The message and the page that follow.
    public let answer: PageCommandAnswer
    /// The sign-in that the command began, such as that of a new account; `nil` for a command without one.
    public let signIn: SignInResult?

    public init(answer: PageCommandAnswer, signIn: SignInResult? = nil) {
        self.answer = answer
        self.signIn = signIn
    }
}
