import DesignSystem
import Domain
import FeatureKit
import Foundation
import ResidenceModel
import ScreenKit

/// The properties of the island `<pt-gate>`, which shows a gate online and offline.
struct KioskProperties: Codable, Hashable, Sendable {
    let language: String
    /// The `GateList` as the API spells it.
    let list: String
    /// The paths of the queries and commands that the gate calls.
    let paths: [String: String]
    let words: [String: String]
}

/// The page of a gate, which consists of one island, and the page on which a device becomes one.
struct KioskScreen: Sendable {
    static let path = "/gate"
    static let pairing = "/gate/pair"

    let handlers: KioskHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.path, access: .member(.runResidence), area: GateAccess.area) { try await gate($0) },
            ScreenRoute(Self.pairing, access: .anyone) { .screen(pair($0)) },
            ScreenRoute("\(Self.pairing)/{code}", access: .anyone) { .screen(pair($0)) },
        ]
    }

    private func gate(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let list: GateList
        do {
            list = try await handlers.list(request.context)
        } catch let problem as Problem where problem.status == 404 {
            // The browser of a warden is no gate; the device of a gate that was ended can become one again.
            guard request.context.caller.account?.token?.isDevice == true else {
                return .redirect(ResidenceScreens.list)
            }
            return .screen(
                Screen(
                    title: words("residence.gate.over"), subtitle: words("residence.gate.overTip"),
                    layout: .focused,
                    hero: .fallen, body: [.form(form(request))]))
        }
        let properties = KioskProperties(
            language: words.locale.identifier(.bcp47), list: String(decoding: try JSON.encode(list), as: UTF8.self),
            paths: [
                "list": ReadGateList.contract.path, "record": RecordGatePassage.contract.path,
                "takeBack": TakeBackPassage.contract.path, "codes": ReadCode.contract.path,
            ], words: Self.words(words))
        return .screen(
            Screen(
                title: "\(list.gate.name) · \(list.residence)", layout: .stage,
                body: [.island(try PTIsland("gate", properties: properties, fallback: words("gate.noScript")))]))
    }

    /// The page on which a device enters its pairing code, or has it from the address.
    private func pair(_ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("residence.gate.pairTitle"), subtitle: words("residence.gate.pairTip"), layout: .focused,
            hero: .tower, body: [.form(form(request))])
    }

    private func form(_ request: ScreenRequest) -> PTForm {
        let words = request.words
        let field: PTField =
            request.parameters["code"].map { .hidden("pairingCode", $0) }
            ?? PTField(
                .code, name: "pairingCode", label: words("residence.gate.code"),
                hint: words("residence.gate.codeTip"),
                isRequired: true, autocomplete: "off", maxLength: 200)
        return request.form(
            PairGate.self, id: "pair", fields: [field],
            submit: SubmitButton(title: words("residence.gate.start")), to: Self.path, style: .card)
    }

    /// The keys of the texts that the island shows, without their prefix.
    static let keys = [
        "ask", "askCode", "welcome", "bye", "room", "in", "out", "due", "leave", "late.minutes", "late.hours",
        "takeBack", "takenBack", "takenBackTip", "unknown", "unknownTip", "lost", "lostTip", "none", "photo",
        "sent",
        "saved.one", "saved.other", "offline", "refused", "dismiss", "signedOut", "camera", "cameraOff", "cameraNo",
    ]

    private static func words(_ words: Words) -> [String: String] {
        keys.reduce(into: [:]) { $0[$1] = words("gate.\($1)") }
    }
}
