import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages from which documents are printed.
struct PrintScreens: Sendable {
    let classrooms: any ClassroomService
    let students: any StudentService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/classrooms/{classroomId}/print", access: .member(.viewClassrooms), tab: "/homeroom", classroom),
            ScreenRoute(
                "/students/{studentId}/print", access: .member(.viewClassrooms), tab: "/homeroom",
                seen: Seen("student.seen", "studentId"), child),
        ]
    }

    /// The paper size: the chosen one, or Letter in American time zones and A4 elsewhere.
    private func paper(_ request: ScreenRequest) -> PrintedDocument.Paper {
        let usual: PrintedDocument.Paper =
            request.context.caller.membership?.timeZone.identifier.hasPrefix("America/") == true ? .letter : .a4
        return request.query["paper"].flatMap(PrintedDocument.Paper.init) ?? usual
    }

    private func choice(_ path: String, _ paper: PrintedDocument.Paper, _ words: Words) -> Component {
        .segments(
            PTSegmentedControl(
                label: words("reports.paper"),
                segments: PrintedDocument.Paper.allCases.map {
                    .init(
                        title: words("reports.paper.\($0.rawValue)"), path: "\(path)?paper=\($0.rawValue)",
                        isSelected: $0 == paper)
                }))
    }

    @Sendable
    private func classroom(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let room = try await request.context.school.read { sql in
            try classrooms.classroom(id, visibleTo: membership, in: sql)
        }
        let paper = paper(request)
        let here = "/classrooms/\(id.text)/print"
        let files = "\(here)/\(paper.rawValue)"
        let today = request.context.today
        let months = (0..<4).map { back in
            // The first days of this month and the three before it.
            (0..<back).reduce(today.adding(days: 1 - today.day)) { first, _ in
                let last = first.adding(days: -1)
                return last.adding(days: 1 - last.day)
            }
        }
        return .screen(
            Screen(
                title: words("reports.print"), subtitle: room.name, back: "/classrooms/\(id.text)",
                body: [
                    choice(here, paper, words),
                    .list(
                        PTList(
                            cells: [
                                cell(
                                    "roster", words("reports.roster"), words("reports.roster.tip"),
                                    "\(files)/roster"),
                                cell(
                                    "badges", words("reports.badges"), words("reports.badges.tip"),
                                    "\(files)/badges"),
                            ], label: words("reports.print"))),
                    .section(
                        PTSection(
                            title: words("reports.attendance"),
                            body: [
                                .list(
                                    PTList(
                                        cells: months.map { month in
                                            cell(
                                                "attendance-\(month)", words.month(month), nil,
                                                "\(files)/attendance/\(month.description.prefix(7))")
                                        }, label: words("reports.attendance")))
                            ])),
                ]))
    }

    @Sendable
    private func child(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("studentId")
        let membership = try request.context.membership
        let child = try await request.context.school.read { sql in
            try students.student(id, visibleTo: membership, in: sql)
        }
        let paper = paper(request)
        let here = "/students/\(id.text)/print"
        func list(_ title: String, _ kind: String) -> Component {
            .section(
                PTSection(
                    title: title,
                    body: [
                        .list(
                            PTList(
                                cells: ReportSpan.allCases.map { span in
                                    cell(
                                        "\(kind)-\(span.rawValue)", words("reports.lastDays.\(span)"), nil,
                                        "\(here)/\(paper.rawValue)/report/\(span.rawValue)/\(kind)")
                                }, label: title))
                    ]))
        }
        return .screen(
            Screen(
                title: words("reports.report"), subtitle: child.displayName, back: "/students/\(id.text)",
                body: [
                    choice(here, paper, words),
                    .text(PTText(words("reports.report.explained"), role: .note)),
                    list(words("reports.plain"), "plain"), list(words("reports.withNotes"), "notes"),
                ]))
    }

    private func cell(_ id: String, _ title: String, _ subtitle: String?, _ path: String) -> PTListCell {
        PTListCell(
            id: id, leading: .icon(.download, tint: .sky), title: title, subtitle: subtitle, action: .external(path)
        )
    }
}
