import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Lists the terms.
struct ListTerms: Query {
    static let contract = Contract(
        "courses.terms", "/api/v1/terms", access: .member(.viewCourses),
        summary: "The school's terms, the latest first.")
    typealias Result = Page<Term>

    init(_ fields: inout FieldReader) {}
}

/// Adds a term.
struct AddTerm: Command {
    static let contract = Contract(
        "courses.addTerm", "/api/v1/terms", access: .member(.manageCourses), isCreation: true,
        summary: "Adds a term.")
    typealias Result = Term

    let draft: TermDraft

    init(_ fields: inout FieldReader) { draft = TermDraft(&fields) }
}

/// Changes a term.
struct UpdateTerm: Command {
    static let contract = Contract(
        "courses.updateTerm", "/api/v1/terms/{termId}", access: .member(.manageCourses), replay: .natural,
        summary: """
            Changes a term. Its courses are offered through its last day. Refused with 409 if a version is given and \
            someone has changed the term since.
            """)
    typealias Result = Term

    let termId: UUID
    let draft: TermDraft
    /// The version of the term that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        termId = fields.id("termId")
        draft = TermDraft(&fields)
        version = fields.contentVersion()
    }
}

/// The fields of a term's form.
struct TermDraft: Sendable, Hashable {
    let name: String
    let firstDay: Day
    let lastDay: Day

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 60)
        firstDay = fields.day("firstDay")
        lastDay = fields.day("lastDay")
        fields.refuse("lastDay", "terms.order", unless: fields.faults.isEmpty ? firstDay <= lastDay : true)
    }
}

extension Term {
    /// The version of the fields that the form of a term edits.
    var version: ContentVersion { ContentVersion([name, firstDay.description, lastDay.description]) }
}

/// The endpoints and settings pages of terms.
struct TermHandlers: Sendable {
    static let path = "/settings/terms"
    /// The most terms of a school: a century of quarters.
    static let most = 400

    var queries: [QueryRegistration] {
        [
            .handle(ListTerms.self) { _, context in
                Page(items: try await context.school.read { try CourseRepository.terms(in: $0) }, next: nil)
            }
        ]
    }

    var commands: [CommandRegistration] {
        [
            .handle(AddTerm.self) { command, context in
                guard try CourseRepository.terms(in: context.sql).count < Self.most else {
                    throw Problem(409, "courses.full", [.number(Self.most)])
                }
                return try save(command.draft, as: context.newId(), &context)
            },
            .handle(UpdateTerm.self) { command, context in
                guard
                    let term = try CourseRepository.terms(in: context.sql).first(where: { $0.id == command.termId })
                else { throw Problem.notFound }
                try term.version.check(command.version)
                return try save(command.draft, as: command.termId, &context)
            },
        ]
    }

    private func save(_ draft: TermDraft, as id: UUID, _ context: inout CommandContext) throws -> Term {
        // Schools enter past terms and plan years ahead.
        try context.checkNear(draft.firstDay, "firstDay", years: 20)
        try context.checkNear(draft.lastDay, "lastDay", years: 20)
        let term = Term(id: id, name: draft.name, firstDay: draft.firstDay, lastDay: draft.lastDay)
        try CourseRepository.save(term, in: context.sql)
        context.record(
            Change("courses.termSaved", topics: [CourseTopic.list], audience: [.school], payload: ["term": id.text])
        )
        context.feedback = Feedback(.toast, context.words("terms.said.saved", term.name))
        context.destination = Self.path
        return term
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.manageCourses), tab: "/settings") {
                .screen(try await list($0))
            },
            ScreenRoute("\(Self.path)/new", access: .member(.manageCourses), tab: "/settings") {
                .screen(try await form(nil, $0))
            },
            ScreenRoute("\(Self.path)/{termId}", access: .member(.manageCourses), tab: "/settings") { request in
                let id = try request.id("termId")
                let terms = try await request.context.school.read { try CourseRepository.terms(in: $0) }
                guard let term = terms.first(where: { $0.id == id }) else { throw Problem.notFound }
                return .screen(try await form(term, request))
            },
        ]
    }

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let terms = try await request.context.school.read { try CourseRepository.terms(in: $0) }
        return Screen(
            title: words("terms.title"), back: "/settings", live: [CourseTopic.list],
            body: [
                terms.isEmpty
                    ? .empty(
                        PTEmptyState(icon: .calendar, title: words("terms.none"), message: words("terms.noneTip")))
                    : .list(
                        PTList(
                            cells: terms.map { term in
                                PTListCell(
                                    id: term.id.text, leading: .icon(.calendar, tint: .sky), title: term.name,
                                    subtitle:
                                        "\(words.shortDate(term.firstDay)) – \(words.shortDate(term.lastDay))",
                                    trailing: [.chevron], action: .present("\(Self.path)/\(term.id.text)"))
                            }))
            ],
            floatingButton: PTFloatingActionButton(
                title: words("terms.add"), action: .present("\(Self.path)/new")))
    }

    private func form(_ term: Term?, _ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let fields = [
            PTField(
                name: "name", label: words("terms.name"), value: term?.name ?? "", isRequired: true, maxLength: 60,
                placeholder: words("terms.nameTip")),
            PTField(
                .date, name: "firstDay", label: words("terms.first"), value: term?.firstDay.description ?? "",
                isRequired: true, width: .half),
            PTField(
                .date, name: "lastDay", label: words("terms.last"), value: term?.lastDay.description ?? "",
                isRequired: true, width: .half),
        ]
        let submit = SubmitButton(title: words("courses.save"))
        guard let term else {
            let form = request.form(AddTerm.self, id: "term", fields: fields, submit: submit, to: Self.path)
            return Screen(title: words("terms.add"), back: Self.path, body: [.form(form)])
        }
        return Screen(
            title: term.name, back: Self.path,
            body: try await request.form(
                UpdateTerm.self, ["termId": term.id.text], id: "term", of: term.version,
                savedBy: ["courses.termSaved"],
                term.id, fields: fields, submit: submit, to: Self.path))
    }
}
