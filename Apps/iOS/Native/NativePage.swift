public import Client
import DesignSystem
public import Domain
public import Foundation
import MessagingModel
public import ScreenUI
public import SwiftUI

/// A page that the app draws from its stores, in the place of the server's page at the same address.
public enum NativePage: Hashable, Sendable {
    case rooms(pgId: UUID, query: String)
    case room(pgId: UUID, roomId: UUID)
    case members(pgId: UUID, query: String)
    case day(pgId: UUID)
    /// The passages of all residents, recorded by a warden.
    case attendance(pgId: UUID)
    /// The passages of the signed-in resident.
    case checkIn(pgId: UUID)
    case chat(conversationId: UUID)

    /// The page at an address; `nil` for a page that the server draws.
    ///
    /// Conversations of more than two people are drawn by the server, which knows the names of all of them.
    @MainActor
    public init?(_ address: String, in store: AppStore) {
        guard let parts = URLComponents(string: address) else { return nil }
        let path = parts.path.split(separator: "/").map(String.init)
        let ids = path.map { UUID(text: $0) }
        let query = parts.queryItems?.first { $0.name == "q" }?.value ?? ""
        switch (path.first, path.count) {
        case ("residences", 2):
            guard let pgId = ids[1] else { return nil }
            switch parts.fragment {
            case Self.attendanceMark: self = .attendance(pgId: pgId)
            case Self.checkInMark: self = .checkIn(pgId: pgId)
            default: self = .day(pgId: pgId)
            }
        case ("residences", 3):
            guard let pgId = ids[1] else { return nil }
            switch path[2] {
            case "rooms": self = .rooms(pgId: pgId, query: query)
            case "residents": self = .members(pgId: pgId, query: query)
            default: return nil
            }
        case ("residences", 4):
            guard let pgId = ids[1], path[2] == "rooms", let roomId = ids[3] else { return nil }
            self = .room(pgId: pgId, roomId: roomId)
        case ("messages", 2):
            // A link to one message leads to the server's page, which shows the messages around it.
            guard let id = ids[1], parts.query == nil,
                store.chatStore.state.conversations[id]?.kind == .direct
            else { return nil }
            self = .chat(conversationId: id)
        default: return nil
        }
    }

    private static let attendanceMark = "attendance"
    private static let checkInMark = "check-in"

    /// The addresses of the pages of a residence.
    static func path(_ pgId: UUID) -> String { "/residences/\(pgId.text)" }
    static func attendancePath(_ pgId: UUID) -> String { "\(path(pgId))#\(attendanceMark)" }
    /// The address of the page on which a resident records their own passages.
    public static func checkInPath(_ pgId: UUID) -> String { "\(path(pgId))#\(checkInMark)" }
}

/// The view of a native page.
public struct NativePageView: View {
    private let page: NativePage
    private let handler: any ActionHandler

    /// - Parameter handler: carries out what people do, the commands on `StoreCommands`.
    public init(page: NativePage, handler: any ActionHandler) {
        self.page = page
        self.handler = handler
    }

    public var body: some View {
        switch page {
        case .rooms(let pgId, let query): RoomsListView(pgId: pgId, query: query, handler: handler)
        case .room(let pgId, let roomId): RoomDetailView(pgId: pgId, roomId: roomId, handler: handler)
        case .members(let pgId, let query): MembersManagementView(pgId: pgId, query: query, handler: handler)
        case .day(let pgId): DailyAttendanceView(pgId: pgId, handler: handler)
        case .attendance(let pgId): AttendanceView(pgId: pgId, handler: handler)
        case .checkIn(let pgId): CheckInView(pgId: pgId, handler: handler)
        case .chat(let id): ChatView(conversationId: id, handler: handler)
        }
    }
}

extension EnvironmentValues {
    /// The stores of the signed-in person; `nil` while nobody is signed in.
    public var appStore: AppStore? {
        get { self[StoreKey.self] }
        set { self[StoreKey.self] = newValue }
    }

    /// The session of the signed-in person; `nil` while nobody is signed in.
    public var authManager: (any AuthManager)? {
        get { self[AuthKey.self] }
        set { self[AuthKey.self] = newValue }
    }

    /// Reads the card of a resident; `nil` on a device that cannot. The argument is the sentence that the system shows.
    public var readCard: CardReading? {
        get { self[CardKey.self] }
        set { self[CardKey.self] = newValue }
    }
}

private enum StoreKey: EnvironmentKey {
    static var defaultValue: AppStore? { nil }
}

private enum AuthKey: EnvironmentKey {
    static var defaultValue: (any AuthManager)? { nil }
}

private enum CardKey: EnvironmentKey {
    static var defaultValue: CardReading? { nil }
}

/// Reads a card and returns its number; `nil` if the person canceled.
public typealias CardReading = @MainActor @Sendable (_ prompt: String) async throws -> String?

/// The texts of the native views.
public enum NativeWords {
    /// Reads the texts of this module. Throws the fault of the catalog.
    public static func catalog() throws -> StringCatalog { try StringCatalog(in: Bundle.module) }
}

/// The command of a native view: the same path and fields as in the API.
///
/// The stores give each change its idempotency key, so the call has none of its own.
func call(
    _ path: String, _ fields: [String: String] = [:], asking question: PTConfirmation? = nil, to: String? = nil
) -> PTCommandCall {
    PTCommandCall(path: "/api/v1\(path)", fields: fields, confirmation: question, key: path, to: to)
}
