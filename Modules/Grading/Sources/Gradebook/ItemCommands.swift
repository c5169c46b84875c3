import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface

/// What a form says of an item; a full mark is a decimal with a point or a comma.
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
        // Whatever the number is not, `refuse` says; zero stands for it until then.
        let number = (try? MarkText.number(text)) ?? 0
        fields.refuse("maximum", "grading.maximum", unless: number > 0 && number <= MarkText.largestMaximum)
        maximum = number
        dueDay = fields.optionalDay("dueDay")
        isExtraCredit = fields.flag("isExtraCredit")
    }
}

/// An item as the API tells it. Its full mark is text, so that no reader makes a binary fraction of it.
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

struct AddGradebookItem: Command {
    static let contract = Contract(
        "grades.addItem", "/api/v1/courses/{courseId}/gradebook/items", access: .member(.teachCourses),
        isCreation: true, summary: "Adds something that the students of a course get marks for; hidden at first.")
    typealias Result = ItemAnswer

    let courseId: UUID
    let draft: ItemDraft

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        draft = ItemDraft(&fields)
    }
}

struct EditGradebookItem: Command {
    static let contract = Contract(
        "grades.editItem", "/api/v1/courses/{courseId}/gradebook/items/{itemId}", access: .member(.teachCourses),
        summary: "Changes an item; refused where a mark would stand above its full mark.")
    typealias Result = ItemAnswer

    let courseId: UUID
    let itemId: UUID
    let draft: ItemDraft

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
        draft = ItemDraft(&fields)
    }
}

struct DeleteGradebookItem: Command {
    static let contract = Contract(
        "grades.deleteItem", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/delete",
        access: .member(.teachCourses), summary: "Removes an item with all of its marks.")
    typealias Result = Done

    let courseId: UUID
    let itemId: UUID

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        itemId = fields.id("itemId")
    }
}

struct ReleaseGradebookItem: Command {
    static let contract = Contract(
        "grades.release", "/api/v1/courses/{courseId}/gradebook/items/{itemId}/release",
        access: .member(.teachCourses),
        summary: "Shows the marks of an item to students and families, or hides them.")
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

struct ReleaseGradebook: Command {
    static let contract = Contract(
        "grades.releaseAll", "/api/v1/courses/{courseId}/gradebook/release", access: .member(.teachCourses),
        summary: "Shows the marks of all items of a course that have any to students and families.")
    typealias Result = ReleasedItems

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

struct ReleasedItems: Codable, Sendable, Hashable {
    let itemIds: [UUID]
}

/// The commands about a course's items.
struct ItemHandlers: Sendable {
    let courses: any CourseService
    let news: GradeNews

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
                news.leaders("grades.itemAdded", item, in: &context)
                context.feedback = Feedback(.toast, context.words("grading.said.added", item.title))
                return ItemAnswer(item)
            },
            .handle(EditGradebookItem.self) { command, context in
                var item = try item(command.itemId, of: command.courseId, context)
                let draft = command.draft
                let grades = try GradingRepository.grades(ofItem: item.id, in: context.sql)
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
                news.leaders("grades.itemChanged", item, in: &context)
                if item.releasedAt != nil {
                    try news.families("grades.changed", item, of: grades.map(\.studentId), in: &context)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.saved"))
                return ItemAnswer(item)
            },
            .handle(DeleteGradebookItem.self) { command, context in
                let item = try item(command.itemId, of: command.courseId, context)
                let grades = try GradingRepository.grades(ofItem: item.id, in: context.sql)
                try GradingRepository.delete(item, in: context.sql)
                news.leaders("grades.itemDeleted", item, in: &context)
                if item.releasedAt != nil {
                    try news.families("grades.changed", item, of: grades.map(\.studentId), in: &context)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.deleted", item.title))
                context.destination = GradebookScreens.path(item.courseId)
                return Done()
            },
            .handle(ReleaseGradebookItem.self) { command, context in
                var item = try item(command.itemId, of: command.courseId, context)
                guard (item.releasedAt != nil) != command.isReleased else { return ItemAnswer(item) }
                let marked = try GradingRepository.grades(ofItem: item.id, in: context.sql).map(\.studentId)
                try release(&item, command.isReleased, marked, &context)
                context.feedback = Feedback(
                    .toast,
                    context.words(
                        command.isReleased ? "grading.said.released" : "grading.said.hidden", item.title))
                return ItemAnswer(item)
            },
            .handle(ReleaseGradebook.self) { command, context in
                let course = try courses.course(command.courseId, ledBy: context.membership, in: context.sql)
                let marks = Dictionary(
                    grouping: try GradingRepository.grades(of: course.id, in: context.sql).filter { !$0.isEmpty },
                    by: \.itemId)
                var released: [UUID] = []
                for var item in try GradingRepository.items(of: [course.id], in: context.sql) {
                    guard item.releasedAt == nil, let own = marks[item.id] else { continue }
                    try release(&item, true, own.map(\.studentId), &context)
                    released.append(item.id)
                }
                context.feedback = Feedback(.toast, context.words("grading.said.releasedAll", released.count))
                return ReleasedItems(itemIds: released)
            },
        ]
    }

    private func release(
        _ item: inout GradebookItem, _ isReleased: Bool, _ marked: [UUID], _ context: inout CommandContext
    ) throws {
        item.releasedAt = isReleased ? context.now : nil
        try GradingRepository.update(item, in: context.sql)
        news.leaders(isReleased ? "grades.shown" : "grades.hidden", item, in: &context)
        try news.families(isReleased ? "grades.released" : "grades.changed", item, of: marked, in: &context)
    }

    /// An item of a course that the caller leads.
    func item(_ id: UUID, of courseId: UUID, _ context: CommandContext) throws -> GradebookItem {
        let course = try courses.course(courseId, ledBy: context.membership, in: context.sql)
        guard let item = try GradingRepository.item(id, in: context.sql), item.courseId == course.id else {
            throw Problem.notFound
        }
        return item
    }
}

/// Who hears of a change of grades. Students and families never hear of what was not released.
struct GradeNews: Sendable {
    let families: any FamilyLinks

    static func topic(_ courseId: UUID) -> String { "gradebook:\(courseId.text)" }

    /// Those who teach the course, and administrators.
    func leaders(
        _ kind: String, _ item: GradebookItem, student: UUID? = nil, in context: inout CommandContext
    ) {
        var payload = ["course": item.courseId.text, "item": item.id.text]
        payload["student"] = student?.text
        context.record(
            Change(
                kind, topics: [Self.topic(item.courseId)], audience: Self.leaders(of: item.courseId),
                payload: payload))
    }

    /// Students and their parents.
    func families(
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
