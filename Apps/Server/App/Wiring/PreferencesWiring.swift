import FeatureKit
import Preferences

extension Wirings {
    static let preferences: BlockWiring? = BlockWiring("Preferences") { services in
        services.offer(PreferencesService.self) { PreferencesService(directory: services.ports.directory) }
        services.offer((any PreferenceSource).self) { try services.require(PreferencesService.self) }
        services.offer((any PersonalPreferences).self) { SQLPersonalPreferences() }
    } build: { services in
        try PreferencesFeature.make(preferences: services.require())
    }
}
