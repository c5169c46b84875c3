import DesignSystem
import Domain
import FeatureKit
import Foundation
import RecordsInterface
import ScreenKit

/// Settings > Organization > Backup and export.
struct SchoolFileScreen: Sendable {
    let prepared: PreparedFiles

    static let path = "/settings/school-file"

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.path, access: .member(.manageSchoolFiles), tab: "/settings", make)]
    }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let files = try await prepared.files(in: request.context).filter { $0.kind != .person }
        var body: [Component] = []
        if !files.isEmpty {
            body.append(
                .section(PTSection(title: words("records.files"), body: PreparedFileCells.list(files, request))))
        }
        body += [
            .section(
                PTSection(
                    title: words("records.backup.title"),
                    body: [
                        .text(PTText(words("records.backup.explained"), role: .note)),
                        .form(backup(request)),
                    ])),
            .section(
                PTSection(
                    title: words("records.export.title"),
                    body: [
                        .text(PTText(words("records.export.explained"), role: .note)),
                        .buttons(
                            PTButtonGroup(buttons: [
                                PTButton(
                                    title: words("records.export.action"), icon: .download, role: .tonal,
                                    action: .perform(request.call(ExportSchool.self)))
                            ])),
                    ])),
            .section(
                PTSection(
                    title: words("records.restore.title"),
                    body: [
                        .text(PTText(words("records.restore.explained"), role: .note)),
                        .form(restore(request)),
                    ])),
        ]
        return .screen(
            Screen(
                title: words("records.schoolFile"), back: "/settings", live: ["school-file"],
                body: body))
    }

    private func backup(_ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            BackUpSchool.self, id: "back-up",
            fields: [
                PTField(
                    .newPassword, name: "passphrase", label: words("records.passphrase"),
                    hint: words("records.passphrase.hint"), autocomplete: "new-password", maxLength: 200)
            ],
            submit: SubmitButton(title: words("records.backup.action"), icon: .download), style: .card)
    }

    private func restore(_ request: ScreenRequest) -> PTForm {
        let words = request.words
        return request.form(
            RestoreSchool.self, id: "restore",
            fields: [
                PTField(
                    .file(accept: [".pinktower"]), name: "file", label: words("records.restore.file"),
                    isRequired: true),
                PTField(
                    .password, name: "passphrase", label: words("records.passphrase"),
                    hint: words("records.restore.passphraseHint"), autocomplete: "off", maxLength: 200),
                PTField(
                    .choice([
                        .init(value: "beside", title: words("records.restore.beside")),
                        .init(value: "replace", title: words("records.restore.replace")),
                    ]), name: "way", label: words("records.restore.way"), value: "beside",
                    hint: words("records.restore.wayHint")),
            ],
            submit: SubmitButton(title: words("records.restore.action"), role: .tonal, icon: .cloudUp),
            style: .card,
            confirmation: PTConfirmation(
                title: words("records.restore.question"), message: words("records.restore.message"),
                confirm: words("records.restore.action"), isDestructive: false))
    }
}
