import AuthInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit

/// Sets the display preferences.
struct SetDisplay: Command {
    static let contract = Contract(
        "preferences.setDisplay", "/api/v1/preferences/display", access: .anyone, store: .directory,
        replay: .natural,
        summary: "Chooses language, theme and appearance for this browser and, when signed in, for the account.")
    typealias Result = DisplayPreferences

    let preferences: DisplayPreferences

    init(_ fields: inout FieldReader) {
        preferences = DisplayPreferences(
            language: fields.optionalChoice("language", of: Language.self),
            theme: fields.optionalChoice("theme", of: ThemeName.self) ?? .pinktower,
            appearance: fields.optionalChoice("appearance", of: Appearance.self) ?? .automatic)
    }
}

/// Returns the caller's display preferences.
struct GetDisplay: Query {
    static let contract = Contract(
        "preferences.display", "/api/v1/preferences/display", access: .account,
        summary: "The caller's language, theme and appearance.")
    typealias Result = DisplayPreferences

    init(_ fields: inout FieldReader) {}
}

/// The Preferences feature block: the language, theme and appearance that a person chooses.
public enum PreferencesFeature {
    /// Builds the Preferences feature block around a service, given by the caller, that stores the choices.
    public static func make(preferences: PreferencesService) throws -> Feature {
        var feature = Feature("Preferences", catalog: try StringCatalog(in: .module))
        feature.storage.directoryMigrations = PreferencesMigrations.directory
        feature.storage.schoolMigrations = PreferencesMigrations.school
        feature.storage.records = PreferencesRecordStore.kinds
        feature.endpoints.commands = [
            .handle(SetDisplay.self) { command, context in
                context.display = command.preferences
                if let account = context.caller.account {
                    try preferences.set(command.preferences, of: account.id, in: context.sql)
                }
                return command.preferences
            }
        ]
        feature.endpoints.queries = [
            .handle(GetDisplay.self) { _, context in
                try await preferences.preferences(of: context.account.id)
            }
        ]
        feature.pages.screens = [
            ScreenRoute("/display", access: .anyone) { request in
                .screen(try await DisplayScreen(preferences: preferences, request: request).screen())
            },
            ScreenRoute("/settings/display", access: .account, tab: "/settings") { request in
                .screen(try await DisplayScreen(preferences: preferences, request: request).screen())
            },
        ]
        feature.access.personalAreas = ["preferences"]
        feature.pages.navigation = [
            NavigationEntry(.settings, "preferences.segment", icon: .brush, path: "/settings/display", order: 15),
            NavigationEntry(.signIn, "preferences.otherLanguage", icon: .brush, path: "/display", order: 10),
        ]
        return feature
    }
}

/// The page of display preferences. A choice takes effect immediately.
private struct DisplayScreen {
    let preferences: PreferencesService
    let request: ScreenRequest

    func screen() async throws -> Screen {
        let words = request.words
        let isSettings = request.path.hasPrefix("/settings")
        var chosen = request.context.display
        if let account = request.context.caller.account {
            chosen = try await preferences.preferences(of: account.id)
        }
        let form = request.form(
            SetDisplay.self, id: "display",
            fields: [
                PTField(
                    .choice(
                        [.init(value: "", title: words("preferences.language.system"))]
                            + Language.allCases.map {
                                .init(value: $0.rawValue, title: words("preferences.language.\($0.rawValue)"))
                            }),
                    name: "language", label: words("preferences.language"), value: chosen.language?.rawValue ?? ""),
                PTField(
                    .choice(
                        Appearance.allCases.map {
                            .init(value: $0.rawValue, title: words("preferences.appearance.\($0.rawValue)"))
                        }),
                    name: "appearance", label: words("preferences.appearance"), value: chosen.appearance.rawValue),
                PTField(
                    .choice(
                        ThemeName.allCases.map {
                            .init(value: $0.rawValue, title: words("preferences.theme.\($0.rawValue)"))
                        }),
                    name: "theme", label: words("preferences.theme"), value: chosen.theme.rawValue),
            ],
            submit: SubmitButton(title: words("preferences.save")), to: request.path, style: .instant)
        return Screen(
            title: words(isSettings ? "preferences.segment" : "preferences.display"),
            layout: isSettings ? .page : .focused, back: isSettings ? nil : "/",
            body: [.form(form)])
    }
}
