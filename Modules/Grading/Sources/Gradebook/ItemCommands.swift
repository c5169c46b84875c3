import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// The fields of an item's form. The maximum is a decimal number with a point or a comma.
struct ItemDraft: Sendable {
    let title: String
    let category: GradeCategory
    let maximum: Hundredths
    let dueDay: Day?
    let isExtraCredit: Bool

    init(_ fields: inout FieldReader) {
        title = fields.text("title", max: 80)
        category = fields.choice("category")
        let text = fields.text("maximum", max: 12)
        // `refuse` reports what is wrong with the number.
        let number = (try? ScoreText.number(text)) ?? 0
        fields.refuse("maximum", "grading.maximum", unless: number > 0 && number <= ScoreText.largestMaximum)
        maximum = number
        dueDay = fields.optionalDay("dueDay")
        isExtraCredit = fields.flag("isExtraCredit")
    }
}

/// A grade item in the API. The maximum is text, so that no client turns it into a binary fraction.
struct ItemAnswer: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let courseId: UUID
    let title: String
    let category: GradeCategory
    let maximum: String
    let dueDay: Day?
    let isExtraCredit: Bool
    let isReleased: Bool

    init(_ item: GradebookItem) {
        id = item.id
        courseId = item.courseId
        title = item.title
        category = item.category
        maximum = "\(item.maximum)"
        dueDay = item.dueDay
        isExtraCredit = item.isExtraCredit
        isReleased = item.releasedAt != nil
    }
}

/// Adds a grade item to a course.
struct AddGradebookItem: Command {
    static let contract = Contract(
        "grades.addItem", "/api/v1/courses/{courseId}/gradebook/items", access: .member(.teachCourses),
        isCreation: true, summary: "Adds a grade item to a course. Its scores are hidden from students at first.")
    typealias Result = ItemAnswer

    let courseId: UUID
    let draft: ItemDraft

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        draft = ItemDraft(&fields)
    }
}

/// Changes a grade item.
struct EditGradebookItem: Command {
    static let contract = Contract(
        "grades.editItem", "/api/v1/courses/{courseId}/gradebook/items/{itemId}", access: .member(.teachCourses),
        summary:
            "Changes a grade item. Refused if a score would exceed the new maximum, and with 409 if a version is given and someone has changed the item since."
    )
    typealias Result = ItemAnswer

    let courseId: UUID
    let itemId: UUID
    let draft: ItemDraft
    /// The `GradebookItem.version` that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        draft = ItemDraft(&fields)
        version = fields.contentVersion()
    }
}

/// Deletes a grade item with all its scores.
struct DeleteGradebookItem: Command {
    static let contract = Contract(
        "grades.deleteItem", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/delete",
        access: .member(.teachCourses), summary: "Deletes a grade item with all its scores.")
    typealias Result = Done

    let courseId: UUID
    let itemId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
    }
}

/// Releases or hides the scores of an item.
struct ReleaseGradebookItem: Command {
    static let contract = Contract(
        "grades.release", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/release",
        access: .member(.teachCourses),
        summary: "Releases the scores of an item to students and families, or hides them.")
    typealias Result = ItemAnswer

    let courseId: UUID
    let itemId: UUID
    let isReleased: Bool

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        isReleased = fields.flag("isReleased")
    }
}

/// Releases all items of a course that have scores.
struct ReleaseGradebook: Command {
    static let contract = Contract(
        "grades.releaseAll", "/api/v1/courses/{courseId}/gradebook/release", access: .member(.teachCourses),
        summary: "Releases the scores of all items of a course to students and families.")
    typealias Result = ReleasedItems

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// The items that a command released.
struct ReleasedItems: Codable, Sendable, Hashable {
    let itemIds: [UUID]
}

extension GradebookItem {
    /// The version of the fields that the form of a grade item edits.
    var version: ContentVersion {
        ContentVersion([
            title, category.rawValue, "\(maximum)", dueDay?.description, String(isExtraCredit),
        ])
    }
}

/// The commands of grade items.
struct ItemHandlers: Sendable {
    let courses: any CourseService
    let notifications: GradeNotifications

    var commands: [CommandRegistration] {
        [
            .handle(AddGradebookItem.self) { command, context in
                let course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                let draft = command.draft
                try context.checkNear(draft.dueDay, "dueDay", years: 2)
                let item = GradebookItem(
                    id: context.newId(), courseId: course.id, title: draft.title, category: draft.category,
                    maximum: draft.maximum, dueDay: draft.dueDay, isExtraCredit: draft.isExtraCredit,
                    createdAt: context.now)
                try GradingRepository.insert(item, in: context.sql)
                notifications.notifyLeaders("grades.itemAdded", item, in: &context)
                context.feedback = Feedback(.toast, context.words("grading.said.added", item.title))
                return ItemAnswer(item)
            },
            .handle(EditGradebookItem.self) { command, context in
                var item = try item(command.itemId, of: command.courseId, context)
                let draft = command.draft
                try item.version.check(command.version, "grading.itemChanged")
                let grades = try GradingRepository.scores(ofItem: item.id, in: context.sql)
                let highest = grades.compactMap(\.points).max() ?? 0
                guard draft.isExtraCredit || highest <= draft.maximum else {
                    throw Problem.invalid("maximum", "grading.maximumBelow", [.text("\(highest)")])
                }
                if item.dueDay != draft.dueDay { try context.checkNear(draft.dueDay, "dueDay", years: 2) }
                item.title = draft.title
                item.category = draft.category
                item.maximum = draft.maximum
                item.dueDay = draft.dueDay
                item.isExtraCredit = draft.isExtraCredit
                try GradingRepository.update(item, in: context.sql)
                notifications.notifyLeaders("grades.itemChanged", item, in: &context)
                if item.releasedAt != nil {
                    try notifications.notifyFamilies(
                        "grades.changed", item, of: grades.map(\.studentId), in: &context)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.saved"))
                return ItemAnswer(item)
            },
            .handle(DeleteGradebookItem.self) { command, context in
                let item = try item(command.itemId, of: command.courseId, context)
                let grades = try GradingRepository.scores(ofItem: item.id, in: context.sql)
                try GradingRepository.delete(item, in: context.sql)
                notifications.notifyLeaders("grades.itemDeleted", item, in: &context)
                if item.releasedAt != nil {
                    try notifications.notifyFamilies(
                        "grades.changed", item, of: grades.map(\.studentId), in: &context)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.deleted", item.title))
                context.destination = GradebookScreens.path(item.courseId)
                return Done()
            },
            .handle(ReleaseGradebookItem.self) { command, context in
                var item = try item(command.itemId, of: command.courseId, context)
                guard (item.releasedAt != nil) != command.isReleased else { return ItemAnswer(item) }
                let marked = try GradingRepository.scores(ofItem: item.id, in: context.sql).map(\.studentId)
                try release(&item, command.isReleased, marked, &context)
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        command.isReleased ? "grading.said.released" : "grading.said.hidden", item.title))
                return ItemAnswer(item)
            },
            .handle(ReleaseGradebook.self) { command, context in
                let course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                let scores = Dictionary(
                    grouping: try GradingRepository.scores(of: course.id, in: context.sql).filter { !$0.isEmpty },
                    by: \.itemId)
                var released: [UUID] = []
                for var item in try GradingRepository.items(of: [course.id], in: context.sql) {
                    guard item.releasedAt == nil, let own = scores[item.id] else { continue }
                    try release(&item, true, own.map(\.studentId), &context)
                    released.append(item.id)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.releasedAll", released.count))
                return ReleasedItems(itemIds: released)
            },
        ]
    }

    /// Sets whether an item is released, and notifies those concerned.
    private func release(
        _ item: inout GradebookItem, _ isReleased: Bool, _ marked: [UUID], _ context: inout CommandContext
    ) throws {
        item.releasedAt = isReleased ? context.now : nil
        try GradingRepository.update(item, in: context.sql)
        notifications.notifyLeaders(isReleased ? "grades.shown" : "grades.hidden", item, in: &context)
        try notifications.notifyFamilies(
            isReleased ? "grades.released" : "grades.changed", item, of: marked, in: &context)
    }

    /// Returns an item of a course that the caller leads.
    func item(_ id: UUID, of courseId: UUID, _ context: CommandContext) throws -> GradebookItem {
        let course = try courses.course(courseId, ledBy: context.membership, in: context.sql)
        guard let item = try GradingRepository.item(id, in: context.sql), item.courseId == course.id else {
            throw Problem.notFound
        }
        return item
    }
}

/// Records changes of grades for those concerned. Students and families are never notified of hidden scores.
struct GradeNotifications: Sendable {
    let families: any FamilyLinks

    static func topic(_ courseId: UUID) -> String { GradeTopic.gradebook(courseId) }

    /// Records a change for the course's teachers and for administrators.
    func notifyLeaders(
        _ kind: String, _ item: GradebookItem, student: UUID? = nil, in context: inout CommandContext
    ) {
        var payload = ["course": item.courseId.text, "item": item.id.text]
        payload["student"] = student?.text
        context.record(
            Change(
                kind, topics: [Self.topic(item.courseId)], audience: Self.leaders(of: item.courseId),
                payload: payload))
    }

    /// Records a change for students and their parents.
    func notifyFamilies(
        _ kind: String, _ item: GradebookItem, of studentIds: [UUID], in context: inout CommandContext
    ) throws {
        for studentId in studentIds {
            let parents = try families.parents(ofStudent: studentId, in: context.sql)
            context.record(
                Change(
                    kind, topics: [GradeTopic.student(studentId)],
                    audience: ([studentId] + parents).map(Audience.person),
                    payload: ["course": item.courseId.text, "item": item.id.text, "student": studentId.text]))
        }
    }

    static func leaders(of courseId: UUID) -> [Audience] {
        [.teachers(of: courseId)] + Audience.roles([.superAdmin, .admin])
    }
}
