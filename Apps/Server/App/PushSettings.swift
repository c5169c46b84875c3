import Domain
public import Foundation
import Integrations

/// The ids, key file and service address with which this server sends notifications through Apple's push service to its
/// own app.
public struct AppPushSettings: Sendable {
    public var teamId: String
    public var keyId: String
    /// The `.p8` file of the private key, which Apple lets developers download once.
    public var keyFile: URL
    /// The bundle id of the app that receives the notifications, which Apple calls the topic.
    public var topic: String
    /// The address of Apple's service, for apps of the App Store or for apps in development.
    public var address: String

    public init(
        teamId: String, keyId: String, keyFile: URL, topic: String, address: String = addresses[0]
    ) {
        self.teamId = teamId
        self.keyId = keyId
        self.keyFile = keyFile
        self.topic = topic
        self.address = address
    }

    /// The id by which Apple's systems know the app ("App ID").
    var appId: String { "\(teamId).\(topic)" }

    /// The settings that are needed together.
    static let keys = ["apnsTeamId", "apnsKeyId", "apnsKeyFile", "apnsTopic"]
    /// The addresses of Apple's service: for apps of the App Store, and for apps in development.
    public static let addresses = [ApplePushSettings.standardAddress, "https://api.sandbox.push.apple.com"]

    /// Returns the settings of the adapter. Throws `ServerSettings.Malformed` if the key file cannot be read.
    fileprivate func read() throws -> ApplePushSettings {
        do {
            return ApplePushSettings(
                teamId: teamId, keyId: keyId, privateKey: try String(contentsOf: keyFile, encoding: .utf8),
                topic: topic, address: address)
        } catch {
            throw ServerSettings.Malformed(faults: ["apnsKeyFile is '\(keyFile.path)'; that file cannot be read."])
        }
    }
}

extension ServerSettings {
    /// Returns the sender of push messages. Its key is created once and stays in the data folder.
    func pushSender(clock: any WallClock) throws -> (DevicePush, ServerIdentification) {
        // The contact for operators of push services (RFC 8292 section 2.1).
        let contact = isSecure ? publicURL : "mailto:\(mailFrom)"
        let identification = ServerIdentification(
            keyFile: dataFolder.appending(path: "push.key"), contact: contact)
        do {
            let sender = try DevicePush(
                identification, apple: apns?.read(), clock: clock, allowsLoopback: pushToLoopback)
            return (sender, identification)
        } catch is AppleIdentity.MalformedKey {
            throw Malformed(
                faults: [
                    "apnsKeyFile is '\(apns?.keyFile.path ?? "")'; it must be the .p8 file of a key made at Apple."
                ])
        }
    }
}
