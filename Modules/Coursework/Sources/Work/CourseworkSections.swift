import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The block's sections of the home page and of a course's page.
struct CourseworkSections: Sendable {
    /// The number of assignments in a section.
    static let count = 4

    let access: CourseworkAccess
    let reader: StudentWorkReader
    let work: WorkScreens

    // MARK: - Home

    /// What a student or the chosen child of a parent has to do: missed work, then by due time.
    func due(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let learners = try await request.context.school.read {
            try access.families.learners(of: membership, in: $0)
        }
        let wanted = request.query["student"].flatMap(UUID.init(text:)) ?? request.lastStudent
        guard let studentId = learners.first(where: { $0 == wanted }) ?? learners.first else { return [] }
        let (open, courses) = try await request.context.school.read { sql in
            let open = try reader.work(of: studentId, at: now, in: sql).filter { !$0.isDone }
            return (open, try access.courses.courses(Set(open.map(\.assignment.courseId)), in: sql))
        }
        guard !open.isEmpty else { return [] }
        let query = studentId == membership.personId ? "" : "student=\(studentId.text)"
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: now)
        return [
            .section(
                PTSection(
                    title: words("coursework.home"), detail: open.count.shown(in: words.locale),
                    action: PTButton(
                        title: words("coursework.showAll"), role: .quiet,
                        action: .open(AssignmentScreens.home + (query.isEmpty ? "" : "?\(query)"))),
                    body: [
                        .list(
                            PTList(
                                cells: open.prefix(Self.count).map {
                                    work.cell($0, courses[$0.assignment.courseId], query, text)
                                }, label: words("coursework.home")))
                    ]))
        ]
    }

    /// The assignments with work that a teacher has to mark.
    func toMark(_ personId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (courses, all, unmarked) = try await request.context.school.read { sql in
            let courses = try access.courses.courses(taughtBy: personId, in: sql)
            let all = try AssignmentRepository.assignments(of: courses.map(\.id), in: sql)
            return (courses, all, try MarkRepository.unmarkedCounts(of: all.map(\.id), in: sql))
        }
        let open = all.filter { unmarked[$0.id] != nil }
        guard !open.isEmpty else { return [] }
        let named = Dictionary(courses.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let text = WorkWords(words: words, timeZone: membership.timeZone, now: request.context.now)
        let screens = AssignmentScreens(access: access, work: work)
        return [
            .section(
                PTSection(
                    title: words("coursework.home.toMark"),
                    detail: unmarked.values.reduce(0, +).shown(in: words.locale),
                    action: PTButton(
                        title: words("coursework.showAll"), role: .quiet, action: .open(AssignmentScreens.home)),
                    body: [
                        .list(
                            PTList(
                                cells: open.prefix(Self.count).map {
                                    screens.cell($0, unmarked[$0.id] ?? 0, course: named[$0.courseId], text)
                                }, label: words("coursework.home.toMark")))
                    ]))
        ]
    }

    // MARK: - Course

    /// The link from a course's page to its assignments, with what is to do.
    func course(_ courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let (leads, learner, count) = try await request.context.school.read { sql -> (Bool, UUID?, Int) in
            if try access.courses.courses([courseId], in: sql)[courseId]?.isLed(by: membership) ?? false {
                let ids = try AssignmentRepository.assignments(of: [courseId], in: sql).map(\.id)
                return (true, nil, try MarkRepository.unmarkedCounts(of: ids, in: sql).values.reduce(0, +))
            }
            let wanted = request.query["student"].flatMap(UUID.init(text:)) ?? request.lastStudent
            let mine = try access.families.learners(of: membership, in: sql).filter {
                try access.roster.courseIds(ofStudent: $0, in: sql).contains(courseId)
            }
            guard let id = mine.first(where: { $0 == wanted }) ?? mine.first else { return (false, nil, 0) }
            return (false, id, try reader.work(of: id, in: [courseId], at: now, sql).count { !$0.isDone })
        }
        guard leads || learner != nil else { return [] }
        let query = learner.map { $0 == membership.personId ? "" : "&student=\($0.text)" } ?? ""
        return [
            .section(
                PTSection(
                    title: words("coursework.title"),
                    body: [
                        .list(
                            PTList(cells: [
                                PTListCell(
                                    leading: .icon(.task, tint: .clay),
                                    title: leads
                                        ? words("coursework.toMark.count", count) : words("coursework.open", count),
                                    subtitle: words(
                                        leads ? "coursework.course.tip" : "coursework.course.studentTip"),
                                    trailing: [.chevron],
                                    action: .open(
                                        leads
                                            ? AssignmentScreens.list(of: courseId)
                                            : "\(AssignmentScreens.home)?course=\(courseId.text)\(query)"))
                            ]))
                    ]))
        ]
    }
}
