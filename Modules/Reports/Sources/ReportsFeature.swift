public import ClassroomInterface
public import CoursesInterface
public import CurriculumInterface
import DesignSystem
public import Domain
public import FeatureKit
public import Foundation
public import GradingInterface
public import OrganizationInterface
import ScreenKit

/// Printed documents: class lists, attendance sheets, badges and children's reports.
public enum ReportsFeature {
    /// Builds the Reports feature block.
    ///
    /// - Parameters:
    ///   - materials: Children's progress with materials, if a block records it.
    ///   - publicURL: The server's public URL, for the codes on badges.
    ///   - transcripts: What transcripts are made of, in a server with courses and grades.
    public static func make(
        classrooms: any ClassroomService, students: any StudentService, record: any ClassRecord,
        history: any ChildHistory, materials: (any MaterialRecord)?, printer: any DocumentPrinting,
        qr: any QRCodeEncoder, publicURL: String, transcripts: TranscriptPorts? = nil
    ) throws -> Feature {
        let handlers = PrintHandlers(
            classrooms: classrooms, students: students, record: record, history: history, materials: materials,
            printer: printer, qr: qr, publicURL: publicURL)
        let screens = PrintScreens(classrooms: classrooms, students: students)
        var feature = Feature("Reports", catalog: try StringCatalog(in: .module))
        feature.pages.screens = screens.routes
        feature.endpoints.downloads = handlers.downloads
        feature.audit.title = "reports.print"
        feature.audit.kinds = [
            AuditKind("classroom.exported", "audit.classroom.exported", .name("classroom", of: "classroom")),
            AuditKind("student.exported", "audit.student.exported", .name("student", of: "person")),
        ]
        feature.pages.navigation = [
            NavigationEntry(
                .classroom, "reports.print", icon: .download, path: "/classrooms/{classroomId}/print", order: 20,
                permission: .viewClassrooms)
        ]
        feature.pages.sections = [
            PageSection(.student, order: 90, permission: .viewClassrooms) { id, request in
                [
                    .links(
                        PTLinks(
                            links: [
                                .init(
                                    title: request.words("reports.printReport"),
                                    action: .open("/students/\(id.text)/print"))
                            ]))
                ]
            }
        ]
        guard let transcripts else { return feature }
        let transcript = TranscriptHandlers(
            reader: TranscriptReader(
                courses: transcripts.courses, results: transcripts.results, people: transcripts.people,
                families: transcripts.families, record: record, logos: transcripts.logos),
            printer: printer, qr: qr, hasher: transcripts.hasher, mailer: transcripts.mailer, publicURL: publicURL,
            school: transcripts.school)
        let pages = TranscriptScreens(handlers: transcript)
        feature.access.permissions = [.exportTranscript]
        feature.access.titles = [.exportTranscript: "right.reports.transcript"]
        feature.storage.directoryMigrations = TranscriptRepository.migrations
        feature.storage.records = TranscriptRepository.records
        feature.endpoints.commands = transcript.commands
        feature.endpoints.downloads.append(pages.download)
        feature.pages.screens += pages.routes
        feature.pages.navigation.append(
            NavigationEntry(
                .person, "reports.transcript", icon: .download, path: TranscriptScreens.entry, order: 20,
                permission: .exportTranscript))
        feature.pages.sections.append(
            PageSection(.reportCard, order: 10, permission: .exportTranscript) { pages.export($0, $1) })
        feature.audit.kinds += [
            AuditKind("transcripts.mailed", "audit.transcripts.mailed", .name("student", of: "person")),
            AuditKind("transcripts.exported", "audit.transcripts.exported", .name("person", of: "person")),
        ]
        return feature
    }
}

/// The services and ports that transcripts are made of.
public struct TranscriptPorts: Sendable {
    let courses: any CourseService
    let results: any CourseResults
    let people: any PeopleService
    let families: any FamilyLinks
    let logos: any SchoolLogos
    let hasher: any SecretHasher
    let mailer: any Mailer
    let school: @Sendable (UUID) async throws -> Organization?

    /// - Parameters:
    ///   - results: the courses of students with their released grades.
    ///   - mailer: sends transcripts to the contacts of students.
    ///   - school: looks up a school by its id, for the page that verifies transcripts.
    public init(
        courses: any CourseService, results: any CourseResults, people: any PeopleService,
        families: any FamilyLinks, logos: any SchoolLogos, hasher: any SecretHasher, mailer: any Mailer,
        school: @escaping @Sendable (UUID) async throws -> Organization?
    ) {
        self.courses = courses
        self.results = results
        self.people = people
        self.families = families
        self.logos = logos
        self.hasher = hasher
        self.mailer = mailer
        self.school = school
    }
}

/// The period of a child's report, in days before today.
enum ReportSpan: Int, CaseIterable, Sendable {
    case month = 30
    case term = 120
    case year = 365
}

/// Creates the documents that a person downloads.
struct PrintHandlers: Sendable {
    let classrooms: any ClassroomService
    let students: any StudentService
    let record: any ClassRecord
    let history: any ChildHistory
    let materials: (any MaterialRecord)?
    let printer: any DocumentPrinting
    let qr: any QRCodeEncoder
    let publicURL: String

    var downloads: [DownloadRoute] {
        [
            route("/classrooms/{classroomId}/print/{paper}/roster", seen: Self.classroomSeen) {
                try await roster($0)
            },
            route("/classrooms/{classroomId}/print/{paper}/attendance/{month}", seen: Self.classroomSeen) {
                try await attendance($0)
            },
            route("/classrooms/{classroomId}/print/{paper}/badges", seen: Self.classroomSeen) {
                try await badges($0)
            },
            route(
                "/students/{studentId}/print/{paper}/report/{days}/{notes}",
                seen: Seen("student.exported", "studentId", isExport: true)
            ) { try await report($0) },
        ]
    }

    /// The parameters of a download and its document composer.
    private struct PrintRequest: Sendable {
        let parameters: [String: String]
        let context: RequestContext
        let membership: ActiveMembership
        let composer: DocumentComposer

        func id(_ name: String) throws -> UUID {
            guard let id = parameters[name].flatMap(UUID.init(text:)) else { throw Problem.notFound }
            return id
        }
    }

    private static let classroomSeen = Seen("classroom.exported", "classroomId", isExport: true)

    private func route(
        _ path: String, seen: Seen,
        _ make: @escaping @Sendable (PrintRequest) async throws -> (about: String, PrintedDocument)
    ) -> DownloadRoute {
        DownloadRoute(path, access: .member(.viewClassrooms), seen: seen) { parameters, context in
            guard let paper = parameters["paper"].flatMap(PrintedDocument.Paper.init) else {
                throw Problem.notFound
            }
            let membership = try context.membership
            let request = PrintRequest(
                parameters: parameters, context: context, membership: membership,
                composer: DocumentComposer(
                    school: membership.organization.name, words: context.words, paper: paper, today: context.today))
            let (about, document) = try await make(request)
            return DownloadedFile(
                .bytes(try await printer.pdf(of: document)),
                name: "\(document.title) \(about).pdf", contentType: "application/pdf")
        }
    }

    private func classroomAndChildren(_ request: PrintRequest, _ sql: any SQLReading) throws -> (
        Classroom, [Student]
    ) {
        let id = try request.id("classroomId")
        return (
            try classrooms.classroom(id, visibleTo: request.membership, in: sql),
            try students.students(of: id, orgId: request.membership.organization.id, in: sql)
        )
    }

    private func roster(_ request: PrintRequest) async throws -> (String, PrintedDocument) {
        let (room, children, contacts) = try await request.context.school.read { sql in
            let (room, children) = try classroomAndChildren(request, sql)
            return (room, children, try record.contacts(of: children.map(\.id), in: sql))
        }
        return ("\(room.name) \(request.composer.today)", request.composer.roster(room.name, children, contacts))
    }

    private func attendance(_ request: PrintRequest) async throws -> (String, PrintedDocument) {
        guard let month = request.parameters["month"].flatMap({ Day("\($0)-01") }) else { throw Problem.notFound }
        let days = DocumentComposer.days(ofMonth: month)
        let id = try request.id("classroomId")
        let (room, lines) = try await request.context.school.read { sql in
            (
                try classrooms.classroom(id, visibleTo: request.membership, in: sql),
                try record.register(
                    of: id, orgId: request.membership.organization.id, from: days.first ?? month,
                    through: days.last ?? month, in: sql)
            )
        }
        return (
            "\(room.name) \(month.description.prefix(7))",
            request.composer.attendance(room.name, lines, month: month)
        )
    }

    private func badges(_ request: PrintRequest) async throws -> (String, PrintedDocument) {
        let (room, children) = try await request.context.school.read { try classroomAndChildren(request, $0) }
        return (
            "\(room.name) \(request.composer.today)",
            try request.composer.badges(room.name, children) {
                try qr.modules(of: "\(publicURL)/students/\($0.id.text)")
            }
        )
    }

    private func report(_ request: PrintRequest) async throws -> (String, PrintedDocument) {
        guard let span = request.parameters["days"].flatMap(Int.init).flatMap(ReportSpan.init),
            let notes = request.parameters["notes"], ["notes", "plain"].contains(notes)
        else { throw Problem.notFound }
        let id = try request.id("studentId")
        let (last, timeZone) = (request.context.today, request.membership.timeZone)
        let first = last.adding(days: 1 - span.rawValue)
        let language = request.context.words.language
        let (child, rooms, period) = try await request.context.school.read { sql in
            let child = try students.student(id, visibleTo: request.membership, in: sql)
            let own = Set(try students.classroomIds(ofStudent: id, in: sql))
            let rooms = try classrooms.classrooms(visibleTo: request.membership, in: sql)
                .filter { own.contains($0.id) }.map(\.name)
            let period = DocumentComposer.Period(
                first: first, last: last,
                record: try history.period(of: id, from: first, through: last, timeZone: timeZone, in: sql),
                attended: try record.attendance(of: [id], from: first, through: last, in: sql)[id] ?? [:],
                materials: try materials?.steps(of: id, from: first, through: last, in: language, sql) ?? [],
                withNotes: notes == "notes")
            return (child, rooms, period)
        }
        let name = request.context.words("reports.report.file.\(notes)", "\(first)", "\(last)")
        return (name, request.composer.report(child, rooms, period))
    }
}
