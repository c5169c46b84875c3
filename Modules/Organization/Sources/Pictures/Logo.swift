import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ScreenKit

/// Gives the school a logo, or takes it away.
struct SetLogo: Command {
    static let contract = Contract(
        "organization.setLogo", "/api/v1/organization/logo", access: .member(.renameOrganization),
        bodyLimit: ImageLimits.bytes + 64 * 1024,
        summary: """
            Gives the school a logo, for its pages and printed documents, or takes it away. Takes JPEG, PNG and WebP \
            pictures of at most 15 MB and 50 megapixels, and stores a new picture on white made from theirs.
            """)
    typealias Result = Done

    let logo: UploadedFile?
    let removes: Bool

    init(_ fields: inout FieldReader) {
        logo = fields.optionalFiles("logo", max: 1).first
        removes = fields.flag("removes")
    }
}

/// The school's logo: its command, its download, and its part of Settings > School.
struct LogoHandlers: Sendable {
    /// The longer side of the stored logo in pixels: two inches on paper at 300 dots per inch.
    static let side = 600
    /// The shorter side that a logo has at least, so that it can be recognized on paper.
    static let shortest = 24

    let images: any ImageShrinking

    static func path(_ logo: SchoolLogo) -> String { "/school/logo/\(logo.hash.text)" }

    var command: CommandRegistration {
        .handle(
            SetLogo.self,
            prepare: { command, context in
                guard command.logo != nil || command.removes else { throw Problem.invalid("logo", "required") }
                return try await stored(command.logo, context)
            },
            run: { _, logo, context in
                try LogoRepository.set(logo, in: context.sql)
                context.record(
                    Change(
                        logo == nil ? "organization.logoRemoved" : "organization.logoSet", topics: ["organization"],
                        audience: [.school]))
                context.feedback = Feedback(
                    .toast, context.words(logo == nil ? "organization.logo.removed" : "organization.logo.saved"))
                return Done()
            })
    }

    private func stored(_ file: UploadedFile?, _ context: RequestContext) async throws -> SchoolLogo? {
        guard let file else { return nil }
        let made: [ShrunkImage]
        do throws(ImageFault) {
            made = try await images.shrink(file.content, to: [Self.side])
        } catch {
            throw Problem.invalid("logo", error.code, [.text(file.name)])
        }
        guard min(made[0].width, made[0].height) >= Self.shortest else {
            throw Problem.invalid("logo", "organization.logoSmall", [.number(Self.shortest)])
        }
        return SchoolLogo(
            hash: try await context.files.put(made[0].bytes), width: made[0].width, height: made[0].height)
    }

    var download: DownloadRoute {
        DownloadRoute("/school/logo/{hash}", access: .member(.belong)) { parameters, context in
            guard let hash = parameters["hash"].flatMap(BlobHash.init(_:)),
                try await context.school.read({ try LogoRepository.logo(in: $0) })?.hash == hash
            else { throw Problem.notFound }
            return try await DownloadedFile(hash, .jpeg, of: context.files)
        }
    }

    /// The logo for all, and the form for those who may change the school's name.
    static func section(_ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let logo = try await request.context.school.read { try LogoRepository.logo(in: $0) }
        var body: [Component] = []
        if let logo {
            body.append(
                .image(
                    PTImage(
                        url: path(logo), width: logo.width, height: logo.height,
                        alt: words(
                            "organization.logo.of", try request.context.membership.organization.name), shape: .logo)
                ))
        }
        if request.context.caller.may(.renameOrganization) {
            var fields = [
                PTField(
                    .photos(side: side, max: 1), name: "logo",
                    label: words(logo == nil ? "organization.logo.choose" : "organization.logo.replace"),
                    hint: words("organization.logo.hint"))
            ]
            if logo != nil {
                fields.append(PTField(.toggle, name: "removes", label: words("organization.logo.remove")))
            }
            body.append(
                .form(
                    request.form(
                        SetLogo.self, id: "logo", fields: fields,
                        submit: SubmitButton(title: words("organization.logo.save"), role: .tonal),
                        to: "/settings/organization", style: .card)))
        }
        return body.isEmpty ? [] : [.section(PTSection(title: words("organization.logo"), body: body))]
    }
}

/// Reads the logo from the school's database.
public struct SQLSchoolLogos: SchoolLogos {
    public init() {}

    public func logo(in sql: any SQLReading) throws -> SchoolLogo? { try LogoRepository.logo(in: sql) }
}

/// The SQL of the logo. The table has at most one row.
enum LogoRepository {
    static let migration = Migration(
        "006-logo",
        """
        CREATE TABLE school_logo (
            id INTEGER PRIMARY KEY NOT NULL,
            sha256 TEXT NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL
        );
        """)

    static let records = RecordKind(
        "organization.logo", "organization.records.logo", personal: [], erasure: .withSchool,
        tables: [
            RecordTable(
                "school_logo", export: { _ in "SELECT sha256, width, height FROM school_logo ORDER BY id" },
                files: "SELECT sha256 FROM school_logo")
        ])

    static func logo(in sql: any SQLReading) throws -> SchoolLogo? {
        try sql.row("SELECT sha256, width, height FROM school_logo WHERE id = 1").map {
            try SchoolLogo(hash: $0.get("sha256"), width: $0.get("width"), height: $0.get("height"))
        }
    }

    /// Stores the logo in the place of the one before; `nil` deletes it.
    static func set(_ logo: SchoolLogo?, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM school_logo")
        guard let logo else { return }
        try sql.execute(
            """
            INSERT INTO school_logo (id, sha256, width, height)
            VALUES (1, \(logo.hash), \(logo.width), \(logo.height))
            """)
    }
}
