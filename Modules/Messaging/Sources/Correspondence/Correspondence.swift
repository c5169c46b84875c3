import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// A person of the school, with all that decides to whom they may write.
struct Correspondent: Sendable, Hashable {
    let id: UUID
    /// Empty for a person who has left the school.
    let roles: Set<Role>
    let ties: ClassroomTies

    var isStaff: Bool { roles.contains(where: \.isStaff) }
    var isAdmin: Bool { !roles.isDisjoint(with: [.superAdmin, .admin]) }
}

/// What a school allows beyond the rules of roles.
struct MessagingPolicy: Codable, Sendable, Hashable {
    /// The families' access to the channel of their child's class.
    enum Channels: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
        /// Only staff use channels.
        case staff
        /// Families read what staff write, and do not see each other.
        case reading
        /// Families write as well, and so see each other.
        case writing
    }
    /// Whether students exchange messages with the staff of their classes.
    var students = false
    var channels = Channels.reading
}

/// The rules of who may write to whom, checked when a conversation starts and again for each message.
enum Correspondence {
    /// Whether two people may write to each other. The order does not matter.
    static func mayWrite(
        _ writer: Correspondent, to reader: Correspondent, under policy: MessagingPolicy
    ) -> Bool {
        guard writer.id != reader.id else { return false }
        return writer.roles.contains { first in
            reader.roles.contains { second in
                isPair((writer, first), (reader, second), policy)
                    || isPair((reader, second), (writer, first), policy)
            }
        }
    }

    /// Whether two people may be in one group: they may write to each other, or have a child in common.
    static func mayMeet(_ one: Correspondent, _ other: Correspondent, under policy: MessagingPolicy) -> Bool {
        if mayWrite(one, to: other, under: policy) { return true }
        guard one.roles.contains(.parent), other.roles.contains(.parent) else { return false }
        return !one.ties.children.isDisjoint(with: other.ties.children)
    }

    /// Whether a person reads the channel of a classroom.
    static func mayRead(
        _ person: Correspondent, channelOf classroomId: UUID, under policy: MessagingPolicy
    ) -> Bool {
        if person.isAdmin || person.roles.contains(.guide) && person.ties.guided.contains(classroomId) {
            return true
        }
        guard policy.channels != .staff else { return false }
        if person.roles.contains(.parent), person.ties.childrensClassrooms.contains(classroomId) { return true }
        return policy.students && person.roles.contains(.student) && person.ties.learnsIn.contains(classroomId)
    }

    /// Whether a person writes in the channel of a classroom.
    static func mayWrite(
        _ person: Correspondent, inChannelOf classroomId: UUID, under policy: MessagingPolicy
    ) -> Bool {
        guard mayRead(person, channelOf: classroomId, under: policy) else { return false }
        let isOfStaff = person.isAdmin || person.roles.contains(.guide) && person.ties.guided.contains(classroomId)
        return isOfStaff || policy.channels == .writing
    }

    /// The classrooms whose channels are in a person's list. For admins these are the classrooms that they guide.
    static func channels(of person: Correspondent, under policy: MessagingPolicy) -> Set<UUID> {
        person.ties.all.filter { classroomId in
            let isTied =
                person.ties.guided.contains(classroomId) || !person.roles.isDisjoint(with: [.parent, .student])
            return isTied && mayRead(person, channelOf: classroomId, under: policy)
        }
    }

    /// One direction of the table of roles. All other pairs are refused.
    private static func isPair(
        _ one: (person: Correspondent, role: Role), _ other: (person: Correspondent, role: Role),
        _ policy: MessagingPolicy
    ) -> Bool {
        switch (one.role, other.role) {
        case (let first, let second) where first.isStaff && second.isStaff: true
        case (.superAdmin, .parent), (.admin, .parent): true
        case (.guide, .parent): !one.person.ties.guided.isDisjoint(with: other.person.ties.childrensClassrooms)
        case (.superAdmin, .student), (.admin, .student): policy.students
        case (.guide, .student):
            policy.students && !one.person.ties.guided.isDisjoint(with: other.person.ties.learnsIn)
        default: false
        }
    }
}
