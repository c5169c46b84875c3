import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page of a transcript that was issued, and the public page that verifies one.
struct TranscriptScreens: Sendable {
    static let verify = "/verify"
    /// The page from which administrators export the transcript of a person.
    static let entry = "/transcripts/{personId}"
    static func path(_ studentId: UUID, _ code: String) -> String { "/transcripts/\(studentId.text)/\(code)" }

    let handlers: TranscriptHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.entry, access: .member(.exportTranscript), tab: "/grades") {
                .screen(try await start($0))
            },
            ScreenRoute("/transcripts/{personId}/{code}", access: .member(.exportTranscript), tab: "/grades") {
                .screen(try await page($0))
            },
            ScreenRoute(Self.verify, access: .anyone) { .screen(ask($0, [])) },
            ScreenRoute("\(Self.verify)/{code}", access: .anyone) { .screen(try await answer($0)) },
        ]
    }

    var download: DownloadRoute {
        DownloadRoute(
            "/transcripts/{personId}/{code}/{paper}/{year}", access: .member(.exportTranscript),
            seen: Seen("transcripts.exported", "personId", isExport: true)
        ) { parameters, context in
            guard let studentId = parameters["personId"].flatMap(UUID.init(text:)),
                let paper = parameters["paper"].flatMap(PrintedDocument.Paper.init),
                let code = parameters["code"], let year = parameters["year"]
            else { throw Problem.notFound }
            let transcript = try await handlers.transcript(studentId, year, context)
            try await handlers.check(code, of: studentId, context)
            let file = try await handlers.pdf(
                of: transcript, code: ShortCode.normalized(code), paper: paper, context)
            return DownloadedFile(.bytes(file.bytes), name: file.name, contentType: "application/pdf")
        }
    }

    /// "Export PDF" on the report card of a student.
    func export(_ studentId: UUID, _ request: ScreenRequest) -> [Component] {
        guard request.context.caller.may(.exportTranscript) else { return [] }
        return [
            .section(
                PTSection(title: request.words("reports.transcript"), body: [exportButton(studentId, request)]))
        ]
    }

    private func exportButton(_ studentId: UUID, _ request: ScreenRequest) -> Component {
        let code = ShortCode.make(length: TranscriptCode.length, request.context.ids)
        return .button(
            PTButton(
                title: request.words("reports.transcript.export"), icon: .download, role: .tonal,
                action: .perform(
                    request.call(
                        IssueTranscript.self, ["personId": studentId.text], fields: ["transcriptCode": code],
                        to: Self.path(studentId, code)))))
    }

    /// The page with the link "Export PDF", for administrators, who come from the page of a member.
    private func start(_ request: ScreenRequest) async throws -> Screen {
        let (words, studentId) = (request.words, try request.id("personId"))
        let transcript = try await handlers.transcript(studentId, "all", isPreview: true, request.context)
        let courses: Component =
            transcript.rows.isEmpty
            ? .empty(
                PTEmptyState(
                    icon: .file, title: words("reports.transcript.noCourses"),
                    message: words("reports.transcript.noCoursesTip")))
            : .text(PTText(words("reports.transcript.courses", transcript.rows.count), role: .note))
        return Screen(
            title: words("reports.transcript"), subtitle: transcript.student.name.display,
            back: back(studentId, request),
            body: [courses] + (transcript.rows.isEmpty ? [] : [exportButton(studentId, request)]))
    }

    private func back(_ studentId: UUID, _ request: ScreenRequest) -> String {
        let isAdmin = request.context.caller.membership.map(handlers.reader.readsAll) ?? false
        return isAdmin ? "/settings/members" : "/grades/report?student=\(studentId.text)"
    }

    private func page(_ request: ScreenRequest) async throws -> Screen {
        let (words, context) = (request.words, request.context)
        let studentId = try request.id("personId")
        let code = ShortCode.normalized(request.parameters["code"] ?? "")
        let wanted = request.query["year"] ?? "all"
        let transcript = try await handlers.transcript(studentId, wanted, context)
        try await handlers.check(code, of: studentId, context)
        let path = Self.path(studentId, code)
        let paper = PrintedDocument.Paper(usualIn: context.caller.timeZone)
        var body: [Component] = []
        if transcript.years.count > 1 {
            body.append(
                .segments(
                    PTSegmentedControl(
                        label: words("reports.transcript.year"),
                        segments: [("all", words("reports.transcript.allYears"))].map {
                            .init(title: $1, path: "\(path)?year=\($0)", isSelected: transcript.year == nil)
                        }
                            + transcript.years.map {
                                .init(
                                    title: $0.title, path: "\(path)?year=\($0.start)",
                                    isSelected: transcript.year == $0)
                            })))
        }
        body += [
            .list(
                PTList(
                    cells: [
                        PTListCell(
                            leading: .icon(.download, tint: .sky), title: words("reports.transcript.download"),
                            subtitle: words("reports.transcript.courses", transcript.rows.count),
                            action: .external("\(path)/\(paper.rawValue)/\(wanted)"))
                    ], label: words("reports.transcript"))),
            .text(
                PTText(
                    words(
                        "reports.transcript.codeIs", ShortCode.unbroken(code, by: 4),
                        handlers.publicURL + Self.verify),
                    role: .note)),
        ]
        let contacts = try await handlers.contacts(of: studentId, context)
        body.append(
            .section(
                PTSection(
                    title: words("reports.transcript.email"),
                    body: [
                        contacts.isEmpty
                            ? .text(PTText(words("reports.transcript.noContact"), role: .note))
                            : .form(
                                request.form(
                                    MailTranscript.self, ["personId": studentId.text], id: "mail",
                                    fields: [
                                        .hidden("transcriptCode", code), .hidden("year", wanted),
                                        PTField(
                                            .choice(
                                                contacts.map {
                                                    .init(value: $0.id, title: "\($0.name) · \($0.shownEmail)")
                                                }), name: "contact", label: words("reports.transcript.to"),
                                            value: contacts[0].id, isRequired: true),
                                    ],
                                    submit: SubmitButton(title: words("reports.transcript.send"), role: .tonal),
                                    to: path, style: .card))
                    ])))
        return Screen(
            title: words("reports.transcript"), subtitle: transcript.student.name.display,
            back: back(studentId, request), body: body)
    }

    // MARK: - Verifying

    private func answer(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let code = ShortCode.normalized(request.parameters["code"] ?? "")
        let found = try await handlers.verify(code, request.context)
        guard let school = found.school, let day = found.issuedOn else {
            return ask(
                request,
                [
                    .empty(
                        PTEmptyState(
                            icon: .alert, title: words("reports.verify.unknown"),
                            message: words("reports.verify.unknownTip")))
                ])
        }
        return ask(
            request,
            [
                .empty(
                    PTEmptyState(
                        icon: .check, title: words("reports.verify.known"),
                        message: words("reports.verify.issued", school, words.shortDate(day))))
            ])
    }

    private func ask(_ request: ScreenRequest, _ answer: [Component]) -> Screen {
        let words = request.words
        return Screen(
            title: words("reports.verify"), subtitle: words("reports.verify.tip"), layout: .focused,
            body: answer + [
                .form(
                    request.form(
                        VerifyTranscript.self, id: "verify",
                        fields: [
                            PTField(
                                name: "verificationCode", label: words("reports.verify.code"), isRequired: true,
                                autocomplete: "off", maxLength: 40)
                        ], submit: SubmitButton(title: words("reports.verify.check")), style: .card))
            ])
    }
}
