public import Client
public import DesignSystem
import Domain
import Foundation
import MessagingModel
import ResidenceModel
public import ScreenUI

/// Runs the commands of the native views on the stores, which show a change before the server has answered.
///
/// A command has the path and the fields that it has in the API, so that a view describes it as a page of the server
/// does.
@MainActor
public struct StoreCommands {
    private let store: AppStore

    public init(_ store: AppStore) { self.store = store }

    /// Runs a command. Returns `nil` if no store has it.
    public func run(_ call: PTCommandCall) async -> Outcome? {
        let path = call.path.split(separator: "/").map(String.init)
        guard path.starts(with: ["api", "v1"]) else { return nil }
        do {
            return try await run(Array(path.dropFirst(2)), call.fields)
        } catch {
            return Self.refusal(StoreError(error))
        }
    }

    /// The sentence of an error, with the faults of fields beside the fields.
    public static func refusal(_ error: StoreError) -> Outcome {
        var fields: [String: String] = [:]
        if case .refused(let refusal) = error {
            for fault in refusal.errors ?? [] { fields[fault.field] = fault.message }
        }
        return .refused(message: error.message(ClientWords.current), fields: fields)
    }

    /// The message of the server after a command, in the form of a page.
    public static func feedback(_ feedback: PageCommandAnswer.Feedback) -> PTFeedback {
        switch feedback.style {
        case .toast: .toast(PTToast(feedback.text))
        case .burst: .burst(PTCheckmarkBurst(title: feedback.text))
        }
    }

    private func run(_ path: [String], _ fields: [String: String]) async throws -> Outcome? {
        let ids = path.map { UUID(text: $0) }
        func id(_ place: Int) -> UUID? { ids.indices.contains(place) ? ids[place] : nil }
        switch (path.first, path.last) {
        case ("residences", _): return try await residence(path, ids, fields)
        case ("conversations", "messages"):
            guard path.count == 3, let conversation = id(1) else { return nil }
            let message = try await store.chatStore.sendMessage(
                conversationId: conversation, text: fields["text"] ?? "",
                replyTo: fields["replyTo"].flatMap(UUID.init(text:)))
            return outcome(store.chatStore.syncState(of: message.id))
        case ("conversations", "read"):
            guard path.count == 3, let conversation = id(1) else { return nil }
            try await store.chatStore.markAsRead(conversationId: conversation)
            // Nobody waits for a receipt, so nothing is said about it.
            return .done(nil)
        case ("messages", "delete"):
            guard path.count == 3, let message = id(1) else { return nil }
            try await store.chatStore.deleteMessage(message)
            return outcome(store.chatStore.syncState(of: message))
        default: return nil
        }
    }

    private func residence(
        _ path: [String], _ ids: [UUID?], _ fields: [String: String]
    ) async throws -> Outcome? {
        guard path.count >= 3, let pgId = ids[1] else { return nil }
        let pg = store.pgStore
        let details = fields["details"].flatMap { $0.isEmpty ? nil : $0 }
        switch (path[2], path.count, path.last) {
        case ("rooms", 3, _):
            let room = try await pg.createRoom(
                pgId: pgId, number: fields["number"] ?? "", type: fields["type"] ?? "",
                bedCount: fields["bedCount"].flatMap { Int($0) } ?? 0, details: details)
            return outcome(pg.syncState(of: room.id))
        case ("rooms", 4, _):
            guard let room = ids[3] else { return nil }
            _ = try await pg.updateRoom(
                room, number: fields["number"], type: fields["type"],
                bedCount: fields["bedCount"].flatMap { Int($0) }, details: fields["details"])
            return outcome(pg.syncState(of: pg.currentId(of: room)))
        case ("rooms", 5, "delete"):
            guard let room = ids[3] else { return nil }
            try await pg.deleteRoom(room, moveTo: fields["moveTo"].flatMap(UUID.init(text:)))
            return outcome(pg.syncState(of: pg.currentId(of: room)))
        case ("students", _, "room"):
            guard let student = ids[3] ?? fields["studentId"].flatMap(UUID.init(text:)) else { return nil }
            try await pg.updateStudentRoom(student, roomId: fields["roomId"].flatMap(UUID.init(text:)))
            return outcome(pg.syncState(of: student))
        case ("passages", 3, _):
            guard let student = fields["studentId"].flatMap(UUID.init(text:)),
                let type = fields["type"].flatMap(RecordType.init(rawValue:))
            else { return nil }
            let record = try await pg.recordPassage(of: student, type)
            return outcome(pg.syncState(of: record.id))
        case ("check-in", 3, _), ("check-out", 3, _):
            let tag = fields["nfcTagId"]
            let record =
                path[2] == "check-in"
                ? try await pg.checkIn(method: tag == nil ? .manual : .nfc, nfcTagId: tag)
                : try await pg.checkOut(method: tag == nil ? .manual : .nfc, nfcTagId: tag)
            return outcome(pg.syncState(of: record.id))
        default: return nil
        }
    }

    private func outcome(_ state: RecordSyncState) -> Outcome { state == .synced ? .done(nil) : .waiting }
}
