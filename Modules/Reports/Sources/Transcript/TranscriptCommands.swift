import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

extension Permission {
    /// Allows exporting one's own official transcript, that of one's child, and as an administrator that of any student.
    static let exportTranscript = Permission("reports.transcript", [.superAdmin, .admin, .student, .parent])
}

/// The code by which a transcript is verified.
enum TranscriptCode {
    /// The letters of a code: 60 random bits.
    static let length = 12
}

struct IssueTranscript: Command {
    static let contract = Contract(
        "transcripts.issue", "/api/v1/transcripts/{personId}", access: .member(.exportTranscript),
        store: .directory, isCreation: true, replay: .natural,
        summary: """
            Issues a transcript of the caller, of a child of the caller, or for an administrator of any student, under a code that the caller chose at random, 12 \
            letters of Crockford's Base32. Its fingerprint is stored, so that the page `/verify` knows it.
            """)
    typealias Result = Done

    let personId: UUID
    let transcriptCode: String

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        transcriptCode = ShortCode.normalized(fields.text("transcriptCode", max: 40))
        fields.refuse(
            "transcriptCode", "reports.transcriptCode",
            unless: ShortCode.isOne(transcriptCode, length: TranscriptCode.length))
    }
}

struct MailTranscript: Command {
    static let contract = Contract(
        "transcripts.mail", "/api/v1/transcripts/{personId}/mail", access: .member(.exportTranscript),
        summary: "Mails a transcript that was issued to a contact of the student, as a PDF file.")
    typealias Result = Done

    let personId: UUID
    let transcriptCode: String
    let year: String
    /// The id of a contact of the page.
    let contact: String

    init(_ fields: inout FieldReader) {
        personId = fields.id("personId")
        transcriptCode = ShortCode.normalized(fields.text("transcriptCode", max: 40))
        year = fields.text("year", max: 10)
        contact = fields.text("contact", max: 600)
    }
}

struct VerifyTranscript: Command {
    static let contract = Contract(
        "transcripts.verify", "/api/v1/transcripts/verify", access: .anyone, store: .directory, replay: .natural,
        summary: "Whether a school of this server issued a transcript with a code, and when. It tells nothing else."
    )

    struct Result: Codable, Sendable, Hashable {
        /// The school that issued the transcript; `nil` for an unknown code.
        let school: String?
        let issuedOn: Day?
    }

    let verificationCode: String

    init(_ fields: inout FieldReader) {
        verificationCode = ShortCode.normalized(fields.text("verificationCode", max: 200))
    }
}

/// A transcript that was issued.
struct IssuedTranscript: Sendable, Hashable {
    let schoolId: UUID
    let studentId: UUID
    let issuedAt: Date
}

/// The SQL of issued transcripts, in the directory. Only the fingerprint of a code is stored, and no content.
enum TranscriptRepository {
    static func insert(_ issued: IssuedTranscript, _ fingerprint: String, in sql: any SQLWriting) throws {
        // Safe to repeat: a code that exists keeps its student.
        try sql.execute(
            """
            INSERT INTO transcripts (fingerprint, organization_id, person_id, issued_at)
            VALUES (\(fingerprint), \(issued.schoolId), \(issued.studentId), \(issued.issuedAt))
            ON CONFLICT (fingerprint) DO NOTHING
            """)
    }

    static func issued(_ fingerprint: String, in sql: any SQLReading) throws -> IssuedTranscript? {
        try sql.row("SELECT * FROM transcripts WHERE fingerprint = \(fingerprint)").map { row in
            try IssuedTranscript(
                schoolId: row.get("organization_id"), studentId: row.get("person_id"),
                issuedAt: row.get("issued_at"))
        }
    }

    static let migrations = [
        Migration(
            "001-transcripts",
            """
            CREATE TABLE transcripts (
                fingerprint TEXT PRIMARY KEY NOT NULL,
                organization_id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                issued_at BIGINT NOT NULL
            );
            CREATE INDEX transcripts_person ON transcripts (organization_id, person_id);
            """)
    ]

    static let records = [
        RecordKind(
            "reports.transcripts", "reports.records.transcripts", store: .directory, personal: [.activity],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "transcripts",
                    about: {
                        """
                        SELECT issued_at FROM transcripts
                        WHERE organization_id = \($0.schoolId) AND person_id = \($0.personId) ORDER BY issued_at
                        """
                    },
                    erase: {
                        """
                        DELETE FROM transcripts
                        WHERE organization_id = \($0.schoolId) AND person_id = \($0.personId)
                        """
                    },
                    eraseSchool: { "DELETE FROM transcripts WHERE organization_id = \($0)" })
            ])
    ]
}

/// A person to whom a transcript can be mailed.
struct TranscriptContact: Sendable, Hashable {
    /// The place in the list, the name and the masked address, so that another contact is never taken for this one.
    let id: String
    let name: String
    let email: String
    /// The address as the caller may see it.
    let shownEmail: String

    /// The first letter and the domain of an address: `m…@home.example`.
    static func masked(_ email: String) -> String {
        let parts = email.split(separator: "@", maxSplits: 1)
        return parts.count == 2 ? "\(parts[0].prefix(1))…@\(parts[1])" : "…"
    }
}

/// Issues, prints, mails and verifies transcripts.
struct TranscriptHandlers: Sendable {
    let reader: TranscriptReader
    let printer: any DocumentPrinting
    let qr: any QRCodeEncoder
    let hasher: any SecretHasher
    let mailer: any Mailer
    let publicURL: String
    /// Looks up a school by its id.
    let school: @Sendable (UUID) async throws -> Organization?
    private let issues = RateLimiter(limit: 60, period: 3600)
    private let mails = RateLimiter(limit: 5, period: 3600)
    private let unknown = RateLimiter(limit: 30, period: 300)

    init(
        reader: TranscriptReader, printer: any DocumentPrinting, qr: any QRCodeEncoder, hasher: any SecretHasher,
        mailer: any Mailer, publicURL: String, school: @escaping @Sendable (UUID) async throws -> Organization?
    ) {
        self.reader = reader
        self.printer = printer
        self.qr = qr
        self.hasher = hasher
        self.mailer = mailer
        self.publicURL = publicURL
        self.school = school
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                IssueTranscript.self,
                prepare: { command, context in
                    _ = try await transcript(command.personId, "all", context)
                    try issues.take([context.membership.personId.text], at: context.now)
                },
                run: { command, _, context in
                    let issued = IssuedTranscript(
                        schoolId: try context.membership.organization.id, studentId: command.personId,
                        issuedAt: context.now)
                    try TranscriptRepository.insert(
                        issued, hasher.fingerprint(command.transcriptCode), in: context.sql)
                    context.destination = TranscriptScreens.path(command.personId, command.transcriptCode)
                    return Done()
                }),
            .handle(MailTranscript.self, prepare: prepare(mail:_:)) { command, mail, context in
                context.record(
                    Change(
                        "transcripts.mailed", topics: [], audience: [.person(try context.membership.personId)],
                        payload: ["student": command.personId.text]))
                context.sql.afterCommit { [mailer] in mailer.post(mail) }
                context.feedback = Feedback(.toast, context.words("reports.transcript.mailed"))
                context.destination = TranscriptScreens.path(command.personId, command.transcriptCode)
                return Done()
            },
            .handle(
                VerifyTranscript.self,
                prepare: { command, context in try await verify(command.verificationCode, context) },
                run: { command, found, context in
                    context.destination = "\(TranscriptScreens.verify)/\(command.verificationCode)"
                    return found
                }),
        ]
    }

    // MARK: - Reading

    func transcript(
        _ studentId: UUID, _ year: String, isPreview: Bool = false, _ context: RequestContext
    ) async throws -> Transcript {
        let (membership, today) = (try context.membership, context.today)
        return try await context.school.read { sql in
            try reader.transcript(of: studentId, year, for: membership, today: today, isPreview: isPreview, in: sql)
        }
    }

    /// Throws `Problem.notFound` unless the school issued a transcript of the student under the code.
    func check(_ code: String, of studentId: UUID, _ context: RequestContext) async throws {
        let fingerprint = hasher.fingerprint(ShortCode.normalized(code))
        let issued = try await context.directory.read { try TranscriptRepository.issued(fingerprint, in: $0) }
        guard let issued, issued.studentId == studentId,
            issued.schoolId == (try context.membership.organization.id)
        else { throw Problem.notFound }
    }

    /// Whether a school of this server issued a transcript under a code. Wrong codes of one network are limited.
    func verify(_ code: String, _ context: RequestContext) async throws -> VerifyTranscript.Result {
        try unknown.take([context.remoteAddress], at: context.now)
        let fingerprint = hasher.fingerprint(code)
        let issued = try await context.directory.read { try TranscriptRepository.issued(fingerprint, in: $0) }
        guard let issued, let school = try await school(issued.schoolId) else {
            return .init(school: nil, issuedOn: nil)
        }
        unknown.giveBack([context.remoteAddress])
        return .init(school: school.name, issuedOn: Day(issued.issuedAt, in: school.resolvedTimeZone))
    }

    // MARK: - Paper

    func pdf(
        of transcript: Transcript, code: String, paper: PrintedDocument.Paper, _ context: RequestContext
    ) async throws -> (name: String, bytes: [UInt8]) {
        let composer = TranscriptComposer(
            school: try context.membership.organization.name, words: context.words, paper: paper,
            theme: context.display.theme, today: context.today, logo: try await logo(context))
        let document = composer.document(
            transcript, code: code, address: "\(publicURL)\(TranscriptScreens.verify)",
            modules: try qr.modules(of: "\(publicURL)\(TranscriptScreens.verify)/\(code)"))
        let name = "\(document.title) \(transcript.student.name.display) \(context.today).pdf"
        return (name, try await printer.pdf(of: document))
    }

    /// The school's logo; `nil` for a school without one.
    private func logo(_ context: RequestContext) async throws -> ShrunkImage? {
        guard let logo = try await context.school.read({ try reader.logos.logo(in: $0) }),
            let file = try await context.files.file(logo.hash)
        else { return nil }
        return ShrunkImage(bytes: Array(try Data(contentsOf: file)), width: logo.width, height: logo.height)
    }

    /// The people to whom the caller can mail a transcript: parents themselves, students and administrators the
    /// contacts of the student and the parents with an account.
    ///
    /// A parent does not learn the addresses of the other parents, and a student sees only the beginning of an address.
    func contacts(of studentId: UUID, _ context: RequestContext) async throws -> [TranscriptContact] {
        let membership = try context.membership
        let orgId = membership.organization.id
        let isStudent = studentId == membership.personId
        let isParent = !isStudent && !reader.readsAll(membership)
        let found = try await context.school.read { sql -> [(name: String, email: String?)] in
            let parents =
                isParent ? [membership.personId] : try reader.families.parents(ofStudent: studentId, in: sql)
            let people = try reader.people.people(parents.sorted(), of: orgId, in: sql).values
            let contacts =
                isParent ? [] : try reader.record.contacts(of: [studentId], in: sql)[studentId] ?? []
            return contacts.map { ($0.fullName, $0.email) }
                + people.sorted { ($0.name.display, $0.id) < ($1.name.display, $1.id) }.map {
                    ($0.name.display, $0.email)
                }
        }
        var seen: Set<String> = []
        return found.enumerated().compactMap { place, contact in
            guard let email = contact.email, seen.insert(email.lowercased()).inserted else { return nil }
            let masked = TranscriptContact.masked(email)
            return TranscriptContact(
                id: "\(place) \(contact.name) \(masked)", name: contact.name, email: email,
                shownEmail: isStudent ? masked : email)
        }
    }

    private func prepare(mail command: MailTranscript, _ context: RequestContext) async throws -> Mail {
        let transcript = try await transcript(command.personId, command.year, context)
        try await check(command.transcriptCode, of: command.personId, context)
        guard
            let contact = try await contacts(of: command.personId, context).first(where: {
                $0.id == command.contact
            })
        else { throw Problem.invalid("contact", "reports.transcriptContact") }
        let membership = try context.membership
        try mails.take([membership.personId.text], at: context.now)
        let file = try await pdf(
            of: transcript, code: command.transcriptCode,
            paper: PrintedDocument.Paper(usualIn: membership.timeZone),
            context)
        let words = context.words
        return Mail(
            to: contact.email, subject: words("reports.transcript.mail.subject", transcript.student.name.display),
            text: words(
                "reports.transcript.mail.text", contact.name, membership.organization.name,
                transcript.student.name.display, "\(publicURL)\(TranscriptScreens.verify)"),
            schoolId: membership.organization.id, personId: command.personId,
            attachment: MailAttachment(name: file.name, contentType: "application/pdf", bytes: file.bytes))
    }
}

extension PrintedDocument.Paper {
    /// Letter in a time zone of America, A4 elsewhere.
    init(usualIn timeZone: TimeZone) { self = timeZone.identifier.hasPrefix("America/") ? .letter : .a4 }
}
