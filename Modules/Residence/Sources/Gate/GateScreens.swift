import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The wardens' page of a residence's gates and badges, and the pairing of a new gate.
struct GateScreens: Sendable {
    static func path(_ residenceId: UUID) -> String { "\(ResidenceScreens.path(residenceId))/gates" }
    static func path(_ residenceId: UUID, code: String) -> String { "\(path(residenceId))/\(code)" }

    let hasher: any SecretHasher
    let ids: any IDGenerator
    let qr: any QRCodeEncoder
    let printer: any DocumentPrinting
    let publicURL: String

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/residences/{pgId}/gates", access: .member(.runResidence), tab: ResidenceScreens.list) {
                .screen(try await gates($0))
            },
            ScreenRoute(
                "/residences/{pgId}/gates/{code}", access: .member(.runResidence), tab: ResidenceScreens.list
            ) { .screen(try await waiting($0)) },
        ]
    }

    // MARK: - Gates and badges

    private func gates(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let (gates, residents, badged) = try await request.context.school.read { sql in
            let ids = try ResidentRepository.residents(
                of: residence.id, statuses: [.active, .inactive], in: sql
            ).map(\.resident.personId)
            let tags = try TagRepository.tags(of: ids, in: sql)
            return (
                try GateRepository.gates(of: residence.id, in: sql), ids.count,
                ids.count { tags[$0]?.contains { $0.tag.kind == .badge } == true }
            )
        }
        let open = gates.filter { $0.endedAt == nil }
        return Screen(
            title: words("residence.gates"), subtitle: residence.name,
            back: ResidenceScreens.residents(residence.id), live: [ResidenceTopic.residence(residence.id)],
            body: [
                .section(
                    PTSection(
                        title: words("residence.gates.list"), detail: open.count.shown(in: words.locale),
                        body: [
                            open.isEmpty
                                ? .text(PTText(words("residence.gates.none"), role: .note))
                                : .list(
                                    PTList(
                                        cells: open.map { cell($0, residence, request) }, columns: .two,
                                        label: words("residence.gates.list"))),
                            .form(form(residence, request)),
                        ])),
                badges(residence, badged: badged, of: residents, request),
            ])
    }

    private func cell(_ gate: Gate, _ residence: Residence, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let timeZone = request.context.caller.timeZone
        return PTListCell(
            id: gate.id.text, leading: .icon(.door, tint: .leaf), title: gate.name,
            subtitle: words("residence.gate.since", words.dateAndTime(gate.allowedAt, in: timeZone)),
            trailing: [.menu],
            menu: [
                PTMenuItem(
                    title: words("residence.gate.end"), icon: .logout, role: .destructive,
                    action: .perform(
                        request.call(
                            EndGate.self, ["pgId": residence.id.text, "gateId": gate.id.text],
                            confirmation: PTConfirmation(
                                title: words("residence.gate.end.title", gate.name),
                                message: words("residence.gate.end.message"), confirm: words("residence.gate.end")))
                    ))
            ])
    }

    private func form(_ residence: Residence, _ request: ScreenRequest) -> PTForm {
        let words = request.words
        let typed = ShortCode.normalized(request.refused?.typed["pairingCode"] ?? "")
        let isOne = ShortCode.isOne(typed, length: GatePairing.length)
        return request.form(
            AllowGate.self, ["pgId": residence.id.text], id: "gate",
            fields: [
                .hidden("pairingCode", isOne ? typed : ShortCode.make(length: GatePairing.length, ids)),
                PTField(
                    name: "name", label: words("residence.gate.name"), hint: words("residence.gate.name.tip"),
                    isRequired: true, maxLength: 60, placeholder: words("residence.gate.name.example")),
            ], submit: SubmitButton(title: words("residence.gate.add"), role: .tonal), style: .card)
    }

    private func badges(
        _ residence: Residence, badged: Int, of residents: Int, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        let files = "\(ResidenceScreens.path(residence.id))/badges"
        var body: [Component] = [
            .text(PTText(words("residence.badges.count", badged, residents), role: .note))
        ]
        if badged > 0 {
            body.append(
                .list(
                    PTList(
                        cells: PrintedDocument.Paper.allCases.map { paper in
                            PTListCell(
                                id: paper.rawValue, leading: .icon(.download, tint: .sky),
                                title: words("residence.badges.print"),
                                subtitle: words("residence.badges.\(paper.rawValue)"),
                                action: .external("\(files)/\(paper.rawValue)"))
                        }, columns: .two, label: words("residence.badges"))))
        }
        if badged < residents {
            body.append(
                .button(
                    PTButton(
                        title: words("residence.badges.make"), icon: .tag, role: .tonal,
                        action: .perform(request.call(MakeBadges.self, ["pgId": residence.id.text])))))
        }
        return .section(PTSection(title: words("residence.badges"), body: body))
    }

    // MARK: - Pairing

    /// The page with a pairing code while it is valid.
    private func waiting(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let residence = try await ResidenceScreens.residence(request)
        let back = Self.path(residence.id)
        let code = ShortCode.normalized(request.parameters["code"] ?? "")
        let (account, now) = (try request.context.account, request.context.now)
        let fingerprint = hasher.fingerprint(code)
        let pairing = try await request.context.directory.read {
            try GatePairingRepository.pairing(fingerprint, at: now, in: $0)
        }
        guard let pairing, pairing.accountId == account.id else {
            return Screen(
                title: words("residence.gate.pair"), subtitle: residence.name, back: back,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .door, title: words("residence.gate.pairOver"),
                            message: words("residence.gate.pairOverTip"),
                            action: PTButton(title: words("residence.gates"), action: .open(back))))
                ])
        }
        let link = "\(publicURL)\(KioskScreen.pairing)/\(code)"
        let until = words.time(pairing.expiresAt, in: try request.context.membership.timeZone)
        return Screen(
            title: words("residence.gate.pair"), subtitle: residence.name, back: back,
            body: [
                .codeCard(
                    PTCodeCard(
                        title: words("residence.gate.pairScan"), code: ShortCode.grouped(code, by: 4),
                        spoken: code.map(String.init).joined(separator: " "),
                        qr: QRMatrix(rows: try qr.modules(of: link)), qrSpoken: words("residence.gate.pairQR"),
                        detail: words("residence.gate.pairUntil", until), link: link)),
                .text(
                    PTText(words("residence.gate.pairHow", "\(publicURL)\(KioskScreen.pairing)"), role: .note)),
            ])
    }

    // MARK: - Badges on paper

    var download: DownloadRoute {
        DownloadRoute(
            "/residences/{pgId}/badges/{paper}", access: .member(.runResidence),
            seen: Seen("residence.exported", "pgId", isExport: true)
        ) { parameters, context in
            guard let paper = parameters["paper"].flatMap(PrintedDocument.Paper.init),
                let id = parameters["pgId"].flatMap(UUID.init(text:))
            else { throw Problem.notFound }
            let membership = try context.membership
            let (residence, badges) = try await context.school.read { sql in
                let residence = try ResidenceAccess.residence(id, runBy: membership, in: sql)
                let all = try ResidentRepository.residents(
                    of: residence.id, statuses: [.active, .inactive], in: sql)
                let tags = try TagRepository.tags(of: all.map(\.resident.personId), in: sql)
                return (
                    residence,
                    try all.compactMap { resident, name, _ -> PrintedBadge? in
                        guard let badge = tags[resident.personId]?.first(where: { $0.tag.kind == .badge })
                        else { return nil }
                        return PrintedBadge(
                            name: name.display, detail: "\(residence.name)\n\(membership.organization.name)",
                            code: try qr.modules(of: badge.code))
                    }
                )
            }
            let words = context.words
            let document = PrintedDocument(
                title: words("residence.badges"), subtitle: residence.name,
                school:
                    "\(membership.organization.name.isolated) · \(words("residence.printed", words.longDate(context.today)))",
                language: words.language, paper: paper,
                blocks: [.note(words("residence.badges.note")), .badges(badges)],
                pageNumber: { words("residence.page", $0, $1) })
            return DownloadedFile(
                .bytes(try await printer.pdf(of: document)),
                name: "\(document.title) \(residence.name) \(context.today).pdf", contentType: "application/pdf")
        }
    }
}
