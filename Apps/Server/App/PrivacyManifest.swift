import Domain
import FeatureKit
import FeatureRuntime
import Foundation

/// The privacy manifest of the app for iPhone and iPad (`PrivacyInfo.xcprivacy`).
///
/// It is made from the record kinds of all blocks, as the data inventory is.
///
/// Apple: "Describing data use in privacy manifests".
public enum PrivacyManifest {
    /// The path of the app's file in the repository.
    public static let path = "Apps/iOS/App/PrivacyInfo.xcprivacy"

    /// Returns the content of the file for a server with these settings and all blocks.
    public static func text(_ settings: ServerSettings) async throws -> String {
        try await within(settings) { text(of: $0.features.records) }
    }

    /// Returns the content of the file for kinds of record.
    private static func text(of records: [RecordKind]) -> String {
        let types = Set(records.flatMap(\.personal).flatMap(\.appleTypes)).sorted()
        let entries = types.map { type in
            """
            \t\t<dict>
            \t\t\t<key>NSPrivacyCollectedDataType</key>
            \t\t\t<string>NSPrivacyCollectedDataType\(type)</string>
            \t\t\t<key>NSPrivacyCollectedDataTypeLinked</key>
            \t\t\t<true/>
            \t\t\t<key>NSPrivacyCollectedDataTypePurposes</key>
            \t\t\t<array>
            \t\t\t\t<string>NSPrivacyCollectedDataTypePurposeAppFunctionality</string>
            \t\t\t</array>
            \t\t\t<key>NSPrivacyCollectedDataTypeTracking</key>
            \t\t\t<false/>
            \t\t</dict>
            """
        }.joined(separator: "\n")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- Written by 'pinktower privacy-manifest' from the record kinds of all blocks. -->
            <plist version="1.0">
            <dict>
            \t<key>NSPrivacyAccessedAPITypes</key>
            \t<array/>
            \t<key>NSPrivacyCollectedDataTypes</key>
            \t<array>
            \(entries)
            \t</array>
            \t<key>NSPrivacyTracking</key>
            \t<false/>
            \t<key>NSPrivacyTrackingDomains</key>
            \t<array/>
            </dict>
            </plist>

            """
    }
}

extension RecordKind.Personal {
    /// The ends of Apple's names for the types of data that records of this kind may contain.
    fileprivate var appleTypes: [String] {
        switch self {
        case .name: ["Name"]
        case .email: ["EmailAddress"]
        case .notes: ["EmailsOrTextMessages", "OtherUserContent"]
        case .files: ["AudioData", "OtherUserContent", "PhotosorVideos"]
        case .credentials: ["UserID"]
        case .devices: ["DeviceID"]
        case .activity: ["ProductInteraction"]
        case .health: ["Health"]
        case .location: ["PreciseLocation"]
        case .role, .places, .attendance, .consents, .choices: ["OtherDataTypes"]
        }
    }
}
