import Domain
import Foundation
import MessagingModel
import QuestModel
import ResidenceModel

/// Everything that an account's file holds, read at the start.
struct StoredState: Sendable {
    var residences = PGRecords()
    var attendance: [Day: [UUID: DailyAttendance]] = [:]
    var chat = ChatRecords()
    var leaves: [UUID: Leave] = [:]
    var leavesByPg: [UUID: [UUID]] = [:]
    var meals: [UUID: ResidentMeal] = [:]
    var mealsByPg: [UUID: [UUID]] = [:]
    var quests: [QuestMemory] = []
    var notices: [SyncNotice] = []
    var entries: [OutboxEntry] = []
    var residenceSync: Date?
    var chatSync: Date?
    var leaveSync: Date?
    var foodSync: Date?

    init(reading database: ClientDatabase) throws {
        self = try database.read { transaction in
            func byId<Value: Decodable & Identifiable>(
                _ type: Value.Type, _ kind: StoredKind
            ) throws -> [UUID: Value] where Value.ID == UUID {
                try transaction.all(type, kind).reduce(into: [:]) { $0[$1.id] = $1 }
            }
            func time(_ name: ClientTransaction.MetaName) throws -> Date? {
                try transaction.meta(name).flatMap(Double.init).map(Date.init(timeIntervalSince1970:))
            }
            var state = StoredState()
            state.residences.rooms = try byId(Room.self, .room)
            state.residences.roomsByPg = try transaction.lists(.rooms)
            state.residences.students = try byId(ResidenceMember.self, .student)
            state.residences.studentsByPg = try transaction.lists(.students)
            state.residences.records = try byId(CheckInOutRecord.self, .record)
            for stored in try transaction.all(StoredAttendance.self, .attendance) {
                state.attendance[stored.day.date, default: [:]][stored.pgId] = stored.day
            }
            state.chat.conversations = try byId(Conversation.self, .conversation)
            state.chat.conversationIds = try transaction.list(.conversations)
            state.chat.messages = try byId(ChatMessage.self, .message)
            state.chat.messagesByConversation = try transaction.lists(.messages).filter { !$0.value.isEmpty }
            state.leaves = try byId(Leave.self, .leave)
            state.leavesByPg = try transaction.lists(.leaves)
            state.meals = try byId(ResidentMeal.self, .meal)
            state.mealsByPg = try transaction.lists(.meals)
            state.quests = try transaction.all(QuestMemory.self, .quest)
            state.notices = try transaction.all(SyncNotice.self, .notice)
            state.entries = try transaction.entries()
            state.residenceSync = try time(.residenceSync)
            state.chatSync = try time(.chatSync)
            state.leaveSync = try time(.leaveSync)
            state.foodSync = try time(.foodSync)
            return state
        }
    }

    init() {}
}
