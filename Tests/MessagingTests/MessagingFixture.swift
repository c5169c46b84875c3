import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import OrganizationInterface
import OrganizationTesting
import Synchronization
import TestKit
import Testing

@testable import Messaging

/// The block in a school with two classes and their guides, an admin, and families of the first class.
struct MessagingFixture: SchoolFixture {
    let school: TestSchool
    let feature: Feature
    let circle: TestCircle
    let maple: UUID
    let birch: UUID
    let admin: Caller
    /// The guide of the Maple room.
    let ruth: Caller
    /// The guide of the Birch room.
    let olga: Caller
    /// Noah's mother; Noah is in the Maple room.
    let sofia: Caller
    /// Noah's father.
    let omar: Caller
    /// The mother of Mia of the Maple room.
    let ines: Caller
    let noah: Caller

    init(clock: FixedClock = FixedClock(), messagesPerMinute: Int = 1000, courses: (any CourseTieService)? = nil)
        async throws
    {
        let circle = TestCircle()
        self.circle = circle
        feature = try MessagingFeature.make(
            roles: circle, ties: circle, people: TestPeople(), courses: courses, images: TestImages(),
            messagesPerMinute: messagesPerMinute)
        school = try await TestSchool([TestPeople.feature(), feature], clock: clock)
        let ids = (0..<4).map { [school] _ in school.ids.id(at: school.clock.now) }
        (maple, birch) = (ids[0], ids[1])
        circle.name(maple, "Maple room")
        circle.name(birch, "Birch room")
        admin = try await circle.person(.admin, "Ada Admin", in: school)
        ruth = try await circle.person(.guide, "Ruth Adler", in: school) { $0.guided = [ids[0]] }
        olga = try await circle.person(.guide, "Olga Other", in: school) { $0.guided = [ids[1]] }
        let child = try await circle.person(.student, "Noah Tremblay", in: school) { $0.learnsIn = [ids[0]] }
        noah = child
        let noahId = Self.id(child)
        for (name, children) in [("Sofia Tremblay", noahId), ("Omar Haddad", noahId), ("Ines Pereira", ids[2])] {
            try await circle.person(.parent, name, in: school) {
                $0.children = [children]
                $0.childrensClassrooms = [ids[0]]
            }
        }
        sofia = try #require(circle.caller("Sofia Tremblay"))
        omar = try #require(circle.caller("Omar Haddad"))
        ines = try #require(circle.caller("Ines Pereira"))
    }

    // MARK: - Actions

    func start(_ caller: Caller, with others: Caller..., title: String? = nil) async throws -> Conversation {
        var input: [String: InputValue] = ["personIds": .ids(others.map(Self.id))]
        if let title { input["title"] = .text(title) }
        return try await school.execute(StartConversation.self, .object(input), as: caller)
    }

    @discardableResult
    func send(
        _ text: String, in conversation: Conversation, as caller: Caller, id: UUID? = nil, key: String? = nil,
        replyTo: UUID? = nil, files: [UploadedFile] = []
    ) async throws -> ChatMessage {
        var input: [String: InputValue] = ["conversationId": .id(conversation.id), "text": .text(text)]
        if let id { input["id"] = .id(id) }
        if let replyTo { input["replyTo"] = .id(replyTo) }
        if !files.isEmpty { input["files"] = .list(files.map(InputValue.file)) }
        return try await school.execute(SendMessage.self, .object(input), as: caller, key: key)
    }

    func read(_ conversation: Conversation, as caller: Caller, through: Int? = nil) async throws {
        var input: [String: InputValue] = ["conversationId": .id(conversation.id)]
        if let through { input["through"] = .number(Double(through)) }
        try await school.execute(MarkConversationRead.self, .object(input), as: caller)
    }

    @discardableResult
    func edit(_ message: ChatMessage, _ text: String, as caller: Caller) async throws -> ChatMessage {
        try await school.execute(
            EditMessage.self, ["messageId": .id(message.id), "text": .text(text)], as: caller)
    }

    func delete(_ message: ChatMessage, as caller: Caller) async throws {
        try await school.execute(DeleteMessage.self, ["messageId": .id(message.id)], as: caller)
    }

    func report(_ message: ChatMessage, as caller: Caller, _ reason: String = "Not nice") async throws {
        try await school.execute(
            ReportMessage.self, ["messageId": .id(message.id), "reason": .text(reason)], as: caller)
    }

    func mute(_ conversation: Conversation, as caller: Caller, _ isMuted: Bool = true) async throws {
        try await school.execute(
            MuteConversation.self, ["conversationId": .id(conversation.id), "isMuted": .bool(isMuted)], as: caller)
    }

    func close(_ conversation: Conversation, as caller: Caller, _ isClosed: Bool = true) async throws {
        try await school.execute(
            CloseConversation.self, ["conversationId": .id(conversation.id), "isClosed": .bool(isClosed)],
            as: caller)
    }

    func search(_ words: String, in conversation: Conversation, as caller: Caller) async throws -> [ChatMessage] {
        try await school.answer(
            ListMessages.self, ["conversationId": .text(conversation.id.text), "q": .text(words)], as: caller
        ).items
    }

    /// Downloads a file of a message.
    func download(_ hash: BlobHash, of message: ChatMessage, as caller: Caller) async throws -> DownloadedFile {
        let route = try #require(feature.endpoints.downloads.first)
        return try await route.file(
            ["messageId": message.id.text, "hash": hash.text], school.context(of: caller))
    }

    /// The people in the audience of each change of a kind.
    func notified(_ kind: String) async throws -> [[UUID]] {
        try await changes(kind).map {
            $0.change.audience.compactMap { UUID(text: String($0.tag.trimmingPrefix("person:"))) }
        }
    }

    func list(_ caller: Caller) async throws -> [Conversation] {
        try await school.answer(ListConversations.self, as: caller).items
    }

    func messages(_ conversation: Conversation, as caller: Caller, before: Int? = nil) async throws -> [ChatMessage]
    {
        var input: [String: InputValue] = ["conversationId": .text(conversation.id.text)]
        if let before { input["before"] = .text("\(before)") }
        return try await school.answer(ListMessages.self, .object(input), as: caller).items
    }

    func channel(_ classroomId: UUID, as caller: Caller) async throws -> Conversation {
        try await school.execute(OpenChannel.self, ["classroomId": .id(classroomId)], as: caller)
    }

    func allow(students: Bool = false, channels: MessagingPolicy.Channels = .reading) async throws {
        var input: [String: InputValue] = ["channels": .text(channels.rawValue)]
        if students { input["students"] = .bool(true) }
        try await school.execute(SetMessagingPolicy.self, .object(input), as: admin)
    }

    func outline(
        _ path: String, as caller: Caller, query: [String: String] = [:], language: Language = .english
    ) async throws -> String {
        try await school.environment.outline(path, as: caller, query: query, language: language).description
    }

    /// The changes of a kind.
    func changes(_ kind: String) async throws -> [LoggedChange] {
        try await school.changes().filter { $0.change.kind == kind }
    }
}

/// The roles and classrooms of people, as a test sets them.
final class TestCircle: RoleDirectory, ClassroomTieService {
    private struct State {
        var roles: [UUID: Set<Role>] = [:]
        var ties: [UUID: ClassroomTies] = [:]
        var classrooms: [UUID: String] = [:]
        var callers: [String: Caller] = [:]
    }
    private let state = Mutex(State())

    @discardableResult
    func person(
        _ role: Role, _ name: String, in school: TestSchool, _ tie: (inout ClassroomTies) -> Void = { _ in }
    ) async throws -> Caller {
        let caller = try await TestPeople.add(school.makeCaller(role), name, to: school.database)
        let id = MessagingFixture.id(caller)
        var ties = ClassroomTies()
        tie(&ties)
        state.withLock { [ties] state in
            state.roles[id] = [role]
            state.ties[id] = ties
            state.callers[name] = caller
        }
        return caller
    }

    func name(_ classroomId: UUID, _ name: String) { state.withLock { $0.classrooms[classroomId] = name } }
    func caller(_ name: String) -> Caller? { state.withLock { $0.callers[name] } }

    /// Changes a person's roles.
    func set(_ roles: Set<Role>, of caller: Caller) {
        state.withLock { $0.roles[MessagingFixture.id(caller)] = roles.isEmpty ? nil : roles }
    }
    func untie(_ caller: Caller) { state.withLock { $0.ties[MessagingFixture.id(caller)] = ClassroomTies() } }

    func roles(of personIds: [UUID], in orgId: UUID) async throws -> [UUID: Set<Role>] {
        state.withLock { $0.roles.filter { personIds.contains($0.key) } }
    }
    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { state.withLock { $0.roles } }

    func ties(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: ClassroomTies] {
        state.withLock { state in
            Dictionary(
                personIds.map { ($0, state.ties[$0] ?? ClassroomTies()) }, uniquingKeysWith: { one, _ in one })
        }
    }

    func circle(of classroomId: UUID, in sql: any SQLReading) throws -> ClassroomCircle {
        state.withLock { state in
            func those(_ among: (ClassroomTies) -> Set<UUID>) -> Set<UUID> {
                Set(state.ties.filter { among($0.value).contains(classroomId) }.keys)
            }
            return ClassroomCircle(
                guides: those(\.guided), students: those(\.learnsIn), guardians: those(\.childrensClassrooms))
        }
    }

    func allClassrooms(in sql: any SQLReading) throws -> [ClassroomSummary] {
        try classrooms(Set(state.withLock { $0.classrooms.keys }), in: sql)
    }

    func classrooms(_ ids: Set<UUID>, in sql: any SQLReading) throws -> [ClassroomSummary] {
        state.withLock { state in
            ids.compactMap { id in
                state.classrooms[id].map {
                    ClassroomSummary(id: id, name: $0, avatarTint: .leaf, studentCount: 7)
                }
            }.sorted { $0.name < $1.name }
        }
    }
}

extension UploadedFile {
    static func text(_ name: String, _ text: String) -> UploadedFile {
        UploadedFile(name: name, contentType: "text/plain", bytes: Array(text.utf8))
    }
}
