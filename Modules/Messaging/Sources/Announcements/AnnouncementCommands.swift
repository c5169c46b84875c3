import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import NotificationsInterface
import ScreenKit

/// Lists the announcements for the caller.
struct ListAnnouncements: Query {
    static let contract = Contract(
        "announcements.list", "/api/v1/announcements", access: .member(.readAnnouncements),
        summary: "The announcements for the caller, the newest first.")
    typealias Result = Page<Announcement>

    /// The id of an announcement. The page begins with the one before it.
    let after: String

    init(_ fields: inout FieldReader) {
        after = fields.optionalText("after", max: 40) ?? AnnouncementHandlers.start
    }
}

/// Publishes an announcement.
struct PublishAnnouncement: Command {
    static let contract = Contract(
        "announcements.publish", "/api/v1/announcements", access: .member(.announce), isCreation: true,
        summary: """
            Publishes an announcement to a class, a course, the staff, the families or the whole school. The field \
            `to` holds "staff", "families" or the id of a class.
            """)
    typealias Result = Announcement

    let title: String
    let text: String
    let classroomId: UUID?
    let courseId: UUID?
    let circle: Announcement.Circle?

    init(_ fields: inout FieldReader) {
        title = MessageText.cleaned(fields.text("title", max: 120))
        text = MessageText.cleaned(fields.writing("text", max: AnnouncementHandlers.textLimit))
        let to = fields.optionalText("to", max: 36)
        let circle = to.flatMap(Announcement.Circle.init(rawValue:))
        let classroomId = fields.optionalId("classroomId") ?? to.flatMap(UUID.init(text:))
        courseId = fields.optionalId("courseId")
        fields.refuse("to", "choice", unless: to == nil || circle != nil || classroomId != nil)
        let places = [classroomId != nil, courseId != nil, circle != nil].count { $0 }
        fields.refuse("courseId", "announcement.onePlace", unless: places <= 1)
        self.circle = circle
        self.classroomId = classroomId
        fields.refuse("text", "required", unless: !MessageText.isBlank(text))
        fields.refuse(
            "text", "announcement.tooLong", unless: text.unicodeScalars.count <= AnnouncementHandlers.textLimit)
    }
}

/// Removes an announcement.
struct RemoveAnnouncement: Command {
    static let contract = Contract(
        "announcements.remove", "/api/v1/announcements/{announcementId}/remove", access: .member(.announce),
        summary: "Removes an announcement. Its author and admins may.")
    typealias Result = Done

    let announcementId: UUID

    init(_ fields: inout FieldReader) { announcementId = fields.id("announcementId") }
}

extension Permission {
    /// Reading announcements.
    static let readAnnouncements = Permission("announcements.read", Set(Role.allCases))
    /// Publishing announcements to one's own classes and courses. Admins publish to any class and the whole school.
    static let announce = Permission("announcements.publish", Set(Role.guideRoles))
}

/// The endpoints of announcements.
struct AnnouncementHandlers: Sendable {
    /// The longest text, in Unicode scalars.
    static let textLimit = 10_000
    static let pageSize = 30
    /// A start for lists: greater than any id.
    static let start = "g"

    let correspondents: CorrespondentService
    /// The people of courses; `nil` in a school without courses.
    let courses: (any CourseTieService)?

    /// Returns which announcements a member reads.
    func reader(_ membership: ActiveMembership, in sql: any SQLReading) throws -> AnnouncementRepository.Reader {
        let caller = try correspondents.caller(membership, in: sql)
        // Admins read all announcements, so their courses need not be looked up.
        let entered = caller.isAdmin ? nil : try courses?.courseIds(of: membership, in: sql)
        var circles: Set<Announcement.Circle> = []
        if caller.isStaff { circles.insert(.staff) }
        if caller.roles.contains(.parent) { circles.insert(.families) }
        return .init(
            classrooms: caller.ties.all, courses: entered ?? [], circles: circles, seesAll: caller.isAdmin)
    }

    /// The classrooms to which a member may publish.
    func classrooms(_ membership: ActiveMembership, in sql: any SQLReading) throws -> [ClassroomSummary] {
        let caller = try correspondents.caller(membership, in: sql)
        guard !caller.isAdmin else { return try correspondents.ties.allClassrooms(in: sql) }
        return try correspondents.ties.classrooms(caller.ties.guided, in: sql)
    }

    /// The names of the classrooms and courses of announcements, by id.
    func places(_ announcements: some Sequence<Announcement>, in sql: any SQLReading) throws -> [UUID: String] {
        let rooms = try correspondents.ties.classrooms(Set(announcements.compactMap(\.classroomId)), in: sql)
        let taught = try courses?.courses(Set(announcements.compactMap(\.courseId)), in: sql) ?? [:]
        return rooms.reduce(into: taught.mapValues(\.name)) { $0[$1.id] = $1.name }
    }

    /// The audience of an announcement: a class, a course or a group with the admins, or the whole school.
    func audience(classroomId: UUID?, courseId: UUID?, circle: Announcement.Circle?) -> [Audience] {
        let admins = Audience.roles([.superAdmin, .admin])
        switch circle {
        case .staff: return Audience.roles(Role.allCases.filter(\.isStaff))
        case .families: return Audience.roles([.parent]) + admins
        case nil: break
        }
        if let classroomId { return [.announcements(to: classroomId)] + admins }
        guard let courseId else { return [.school] }
        return (courses.map { [$0.audience(of: courseId)] } ?? []) + admins
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListAnnouncements.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let found = try AnnouncementRepository.list(
                        for: reader(membership, in: sql), after: query.after, limit: Self.pageSize + 1, in: sql)
                    let shown = Array(found.prefix(Self.pageSize))
                    return Page(items: shown, next: found.count > shown.count ? shown.last?.id.text : nil)
                }
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(PublishAnnouncement.self) { command, context in
                let membership = try context.membership
                let caller = try correspondents.caller(membership, in: context.sql)
                if let courseId = command.courseId {
                    try admit(courseId, membership, in: context.sql)
                } else if let classroomId = command.classroomId {
                    guard caller.isAdmin || caller.ties.guided.contains(classroomId),
                        try !correspondents.ties.classrooms([classroomId], in: context.sql).isEmpty
                    else { throw Problem.notFound }
                } else if !caller.isAdmin {
                    throw Problem.invalid("classroomId", "announcement.classNeeded")
                }
                let made = Announcement(
                    id: context.newId(), title: command.title, text: command.text,
                    classroomId: command.classroomId, courseId: command.courseId,
                    circle: command.circle, authorId: caller.id, publishedAt: context.now)
                try AnnouncementRepository.insert(made, in: context.sql)
                context.record(change("announcement.published", made))
                context.destination = AnnouncementScreens.path(made.id)
                context.feedback = Feedback(.toast, context.words("announcements.published"))
                return made
            },
            .handle(RemoveAnnouncement.self) { command, context in
                let membership = try context.membership
                guard
                    let known = try AnnouncementRepository.announcement(
                        command.announcementId, for: reader(membership, in: context.sql), in: context.sql)
                else { throw Problem.notFound }
                let caller = try correspondents.caller(membership, in: context.sql)
                guard caller.isAdmin || known.authorId == caller.id else { throw Problem.notAllowed }
                try AnnouncementRepository.delete(known.id, in: context.sql)
                context.record(change("announcement.removed", known))
                context.destination = AnnouncementScreens.path
                context.feedback = Feedback(.toast, context.words("announcements.removed"))
                return Done()
            },
        ]
    }

    /// Throws if the member does not lead the course, or if it is archived.
    private func admit(_ courseId: UUID, _ membership: ActiveMembership, in sql: any SQLReading) throws {
        guard let course = try courses?.courses(ledBy: membership, in: sql).first(where: { $0.id == courseId })
        else { throw Problem.notFound }
        guard !course.isArchived else { throw Problem.invalid("courseId", "announcement.courseArchived") }
    }

    private func change(_ kind: String, _ announcement: Announcement) -> Change {
        Change(
            kind, topics: [AnnouncementScreens.topic],
            audience: audience(
                classroomId: announcement.classroomId, courseId: announcement.courseId, circle: announcement.circle),
            payload: ["announcement": announcement.id.text])
    }

    /// The notification with the announcement's title, for everyone in its audience except the author.
    var notification: NotificationKind {
        NotificationKind("announcement.published", icon: .info, category: .announcement) { logged, context in
            let membership = try context.membership
            let id = logged.change.payload["announcement"].flatMap(UUID.init(text:))
            let found = try await context.school.read { sql in
                try id.flatMap {
                    try AnnouncementRepository.announcement($0, for: reader(membership, in: sql), in: sql)
                }
            }
            guard let found else { return (context.words("notification.announcementGone"), nil) }
            return (context.words("notification.announcement", found.title), AnnouncementScreens.path(found.id))
        }
    }
}

extension Audience {
    /// The people who read a classroom's announcements.
    static func announcements(to classroomId: UUID) -> Audience { Audience("announcements:\(classroomId.text)") }
}
