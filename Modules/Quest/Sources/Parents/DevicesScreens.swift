import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of devices on which children play: this one and new ones.
struct DevicesScreens: Sendable {
    static let path = "/quest/devices"

    let codes: any GateCodes
    let hasher: any SecretHasher
    let ids: any IDGenerator
    let qr: any QRCodeEncoder
    let publicURL: String

    static func path(_ pairingCode: String) -> String { "\(path)/\(pairingCode)" }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                Self.path, access: .member(.manageQuests), tab: DashboardScreens.home, area: DashboardScreens.area
            ) { .screen(try await devices($0)) },
            ScreenRoute(
                "/quest/devices/{code}", access: .member(.manageQuests), tab: DashboardScreens.home,
                area: DashboardScreens.area
            ) { .screen(try await waiting($0)) },
        ]
    }

    private func devices(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        let isSet = try await codes.isSet(for: account)
        var here: [Component] = []
        if isSet, account.token == nil {
            here.append(
                .button(
                    PTButton(
                        title: words("quest.handOver"), icon: .play, size: .large, isWide: true,
                        action: .perform(
                            request.call(
                                HandOver.self,
                                confirmation: PTConfirmation(
                                    title: words("quest.handOverQuestion"),
                                    message: words("quest.handOverExplained"),
                                    confirm: words("quest.handOver"), isDestructive: false), to: PlayScreen.path))))
            )
        }
        let digits = [digits("code", isSet ? "quest.newCode" : "quest.code", words), again(words)]
        let form =
            isSet
            ? request.form(
                ChangeQuestCode.self, id: "code",
                fields: [self.digits("currentCode", "quest.presentCode", words)] + digits,
                submit: SubmitButton(title: words("quest.changeCode"), role: .tonal), to: Self.path, style: .card)
            : request.form(
                SetQuestCode.self, id: "code", fields: digits,
                submit: SubmitButton(title: words("quest.setCode")),
                to: Self.path, style: .card)
        here += [.text(PTText(words(isSet ? "quest.codeIsSet" : "quest.codeTip"), role: .note)), .form(form)]
        let typed = PairingCode.normalized(request.refused?.typed["pairingCode"] ?? "")
        return Screen(
            title: words("quest.devices"), back: DashboardScreens.home,
            body: [
                .section(PTSection(title: words("quest.thisDevice"), body: here)),
                .section(
                    PTSection(
                        title: words("quest.otherDevice"),
                        body: [
                            .text(PTText(words("quest.pairTip"), role: .note)),
                            .form(
                                request.form(
                                    AllowDevice.self, id: "pair",
                                    fields: [
                                        .hidden(
                                            "pairingCode", PairingCode.isOne(typed) ? typed : PairingCode.make(ids)),
                                        self.digits("code", "quest.pairDigits", words), again(words),
                                    ], submit: SubmitButton(title: words("quest.pair"), role: .tonal), style: .card)
                            ),
                        ])),
                .text(PTText(words("quest.devicesTip"), role: .note)),
            ])
    }

    /// The page with a pairing code while it is valid.
    private func waiting(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let code = PairingCode.normalized(request.parameters["code"] ?? "")
        let (account, now) = (try request.context.account, request.context.now)
        let fingerprint = hasher.fingerprint(code)
        let pairing = try await request.context.directory.read {
            try PairingRepository.pairing(fingerprint, at: now, in: $0)
        }
        guard let pairing, pairing.accountId == account.id else {
            return Screen(
                title: words("quest.pair"), back: Self.path,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .phone, title: words("quest.pairOver"), message: words("quest.pairOverTip"),
                            action: PTButton(title: words("quest.pairAgain"), action: .open(Self.path))))
                ])
        }
        let link = "\(publicURL)/play/pair/\(code)"
        let until = words.time(pairing.expiresAt, in: try request.context.membership.timeZone)
        return Screen(
            title: words("quest.pair"), back: Self.path,
            body: [
                .codeCard(
                    PTCodeCard(
                        title: words("quest.pairScan"), code: ShortCode.grouped(code, by: 4),
                        spoken: code.map(String.init).joined(separator: " "),
                        qr: QRMatrix(rows: try qr.modules(of: link)), qrSpoken: words("quest.pairQR"),
                        detail: words("quest.pairUntil", until), link: link)),
                .text(PTText(words("quest.pairHow", "\(publicURL)/play/pair"), role: .note)),
            ])
    }

    private func again(_ words: Words) -> PTField { digits("again", "quest.codeAgain", words, hint: nil) }

    private func digits(_ name: String, _ label: String, _ words: Words, hint: String? = "quest.digitsHint")
        -> PTField
    {
        PTField(
            .password, name: name, label: words(label), hint: hint.map { words($0) }, isRequired: true,
            autocomplete: "off", maxLength: 4)
    }
}
