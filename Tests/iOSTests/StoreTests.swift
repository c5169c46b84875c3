import AppRouter
import Domain
import Foundation
import ServerApp
import TestKit
import Testing
import Widgets

/// The files that Apple's store and Xcode read.
@Suite("The app's files for Xcode and the App Store")
struct StoreTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let app = root.appending(path: "Apps/iOS")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: app.appending(path: path), encoding: .utf8)
    }

    private static func plist(_ path: String) throws -> [String: Any] {
        let data = try Data(contentsOf: app.appending(path: path))
        return try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
    }

    /// The texts of a file `InfoPlist.strings`, by their keys.
    private static func usageTexts(_ language: Language) throws -> [String: String] {
        let text = try Self.text("App/\(language.rawValue).lproj/InfoPlist.strings")
        return Dictionary(
            text.matches(of: /(?m)^"(\w+)" = "([^"\n]+)";$/).map { (String($0.1), String($0.2)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The folders of the app that contain Swift files.
    private static func sourceFolders() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: app.path).filter { name in
            try swiftFiles(in: name).isEmpty == false
        }.sorted()
    }

    private static func swiftFiles(in folder: String) throws -> [URL] {
        let url = app.appending(path: folder)
        return (FileManager.default.subpaths(atPath: url.path) ?? []).filter { $0.hasSuffix(".swift") }
            .map { url.appending(path: $0) }
    }

    @Test("the app says that it uses no encryption that needs a declaration", .requirement("WW-20.05"))
    func encryption() throws {
        for path in ["App/Info.plist", "WidgetExtension/Info.plist"] {
            #expect(try Self.plist(path)["ITSAppUsesNonExemptEncryption"] as? Bool == false, "\(path)")
        }
    }

    @Test("the system opens the links of the app's router with the app, and knows both of its languages")
    func links() throws {
        let info = try Self.plist("App/Info.plist")
        let types = try #require(info["CFBundleURLTypes"] as? [[String: Any]])
        let schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
        #expect(Set(schemes) == AppRouter.schemes)
        #expect(info["CFBundleLocalizations"] as? [String] == Language.allCases.map(\.rawValue))
        // Videos go on in picture in picture and over AirPlay.
        #expect(info["UIBackgroundModes"] as? [String] == ["audio"])
        // The widgets read what the app shares with them in the group of both.
        for path in ["App/Info.plist", "WidgetExtension/Info.plist"] {
            #expect(try Self.plist(path)[WidgetContainer.groupKey] as? String == "$(APP_GROUP)", "\(path)")
        }
    }

    @Test("each text for a permission exists in both languages, in the typography of its language")
    func permissions() throws {
        let info = try Self.plist("App/Info.plist")
        let asked = info.keys.filter { $0.hasSuffix("UsageDescription") }.sorted()
        #expect(asked.count >= 5)
        let (english, french) = (try Self.usageTexts(.english), try Self.usageTexts(.french))
        #expect(english.keys.sorted() == asked)
        #expect(french.keys.sorted() == asked)
        for key in asked {
            #expect(english[key] == info[key] as? String, "\(key) is the text of the development language")
            let text = try #require(french[key])
            #expect(text != english[key], "\(key) is translated")
            #expect(!text.contains("'") && text.hasPrefix("PinkTower ") && text.hasSuffix("."), "\(key)")
        }
    }

    /// The texts that the system requires before an app may use a framework. Every framework of the app is here.
    private static let texts: [String: Set<String>] = [
        "Foundation": [], "Observation": [], "SwiftUI": [], "WidgetKit": [], "UIKit": [], "PDFKit": [],
        "UniformTypeIdentifiers": [], "CoreMedia": [], "CoreSpotlight": [], "AuthenticationServices": [],
        "PencilKit": [], "QuickLook": ["NSCameraUsageDescription"], "AVKit": [],
        "VisionKit": ["NSCameraUsageDescription"], "AVFoundation": ["NSMicrophoneUsageDescription"],
        "Speech": ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"],
        "CoreNFC": ["NFCReaderUsageDescription"],
        // What the next frameworks of the app need.
        "WebKit": ["NSCameraUsageDescription", "NSMicrophoneUsageDescription"], "PhotosUI": [],
        "UserNotifications": [], "LocalAuthentication": ["NSFaceIDUsageDescription"],
        "CoreLocation": ["NSLocationWhenInUseUsageDescription"],
    ]

    @Test("each framework that the app uses has the texts that the system asks for")
    func frameworks() throws {
        let info = Set(try Self.plist("App/Info.plist").keys)
        let ours = Set(
            try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
                .matches(of: /"(\w+)"/).map { String($0.1) })
        for folder in try Self.sourceFolders() {
            for file in try Self.swiftFiles(in: folder) {
                let source = try String(contentsOf: file, encoding: .utf8)
                for name in source.matches(of: /(?m)^(?:public |@preconcurrency )*import (\w+)$/).map({
                    String($0.1)
                }) {
                    if let needed = Self.texts[name] {
                        #expect(needed.isSubset(of: info), "\(file.lastPathComponent) imports \(name)")
                    } else {
                        let isShape = FileManager.default.fileExists(
                            atPath: Self.root.appending(path: "Tests/Support/AppleShapes/\(name)").path)
                        #expect(ours.contains(name) && !isShape, "which texts does \(name) need?")
                    }
                }
            }
        }
    }

    @Test("a privacy manifest is made from the list of the data inventory", .requirement("WW-20.01.d"))
    func privacy() async throws {
        let folder = try TemporaryFolder()
        var settings = ServerSettings()
        settings.port = 0
        settings.dataFolder = folder.url.appending(path: "data")
        let wanted = try await PrivacyManifest.text(settings)
        let written = try String(contentsOf: Self.root.appending(path: PrivacyManifest.path), encoding: .utf8)
        #expect(
            written == wanted,
            "run '.build/debug/pinktower privacy-manifest --data <empty folder> > \(PrivacyManifest.path)'")
        let manifest = try Self.plist("App/PrivacyInfo.xcprivacy")
        let collected = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        let types = Set(collected.compactMap { $0["NSPrivacyCollectedDataType"] as? String })
        for name in [
            "Name", "EmailAddress", "Health", "PreciseLocation", "PhotosorVideos", "ProductInteraction",
        ] { #expect(types.contains("NSPrivacyCollectedDataType\(name)")) }
        #expect(!types.contains("NSPrivacyCollectedDataTypeContacts"), "no address book is read")
        #expect(collected.allSatisfy { $0["NSPrivacyCollectedDataTypeTracking"] as? Bool == false })
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    }

    @Test("the app calls no function for which Apple requires a reason, so its manifest names none")
    func reasons() throws {
        let names = [
            "UserDefaults", "systemUptime", "mach_absolute_time", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey", "volumeAvailableCapacity", "systemFreeSize",
            "activeInputModes", "AppStorage", "fstat", "statfs",
        ]
        let client = Self.root.appending(path: "Modules/Client")
        let shared = (FileManager.default.subpaths(atPath: client.path) ?? []).filter { $0.hasSuffix(".swift") }
            .map { client.appending(path: $0) }
        for file in try Self.sourceFolders().flatMap(Self.swiftFiles) + shared {
            let words = Set(
                try String(contentsOf: file, encoding: .utf8).matches(of: /(?:\.|\b)(\w+)/).map { String($0.1) })
            // The client has a function of its own with that name.
            let found = words.intersection(names).subtracting(
                file.lastPathComponent == "ServerClock.swift" ? ["systemUptime"] : [])
            #expect(found.isEmpty, "\(file.lastPathComponent)")
        }
        #expect(
            (try Self.plist("App/PrivacyInfo.xcprivacy")["NSPrivacyAccessedAPITypes"] as? [Any])?.isEmpty == true)
    }

    @Test("the app may sign in with Apple, open the school's links, read tags and share data with its widgets")
    func entitlements() throws {
        let app = try Self.plist("App/PinkTower.entitlements")
        #expect(
            app["com.apple.developer.associated-domains"] as? [String] == [
                "applinks:$(SCHOOL_DOMAIN)", "webcredentials:$(SCHOOL_DOMAIN)",
            ])
        #expect(app["com.apple.developer.applesignin"] as? [String] == ["Default"])
        #expect(app["com.apple.developer.nfc.readersession.formats"] as? [String] == ["TAG"])
        #expect(app["aps-environment"] as? String == "development")
        let groups = app["com.apple.security.application-groups"] as? [String]
        let widgets = try Self.plist("WidgetExtension/PinkTowerWidgets.entitlements")
        #expect(groups == ["$(APP_GROUP)"])
        #expect(widgets["com.apple.security.application-groups"] as? [String] == groups)
    }

    @Test("the app's bundle id is a domain in reverse order with the app's name", .requirement("TQ-0.03.c"))
    func bundleId() throws {
        let project = try Self.text("project.yml")
        let id = try #require(project.firstMatch(of: /APP_IDENTIFIER: (\S+)/)).1
        #expect(id.wholeMatch(of: /[a-z]+\.[a-z]+\.app/) != nil)
        #expect(project.contains("PRODUCT_BUNDLE_IDENTIFIER: $(APP_IDENTIFIER)\n"))
        #expect(try Self.plist("App/Info.plist")["CFBundleIdentifier"] as? String == "$(PRODUCT_BUNDLE_IDENTIFIER)")
    }

    @Test("the icon is a square of 1024 pixels without transparency, as the store requires")
    func icon() throws {
        struct Catalog: Decodable {
            struct Image: Decodable { let filename, size: String }
            let images: [Image]
        }
        let folder = "App/Assets.xcassets/AppIcon.appiconset"
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(Self.text("\(folder)/Contents.json").utf8))
        #expect(catalog.images.map(\.size) == ["1024x1024"])
        let name = try #require(catalog.images.first?.filename)
        let bytes = [UInt8](try Data(contentsOf: Self.app.appending(path: "\(folder)/\(name)")))
        // The header of a PNG file: signature, length, IHDR, then width, height, bit depth and color type 2 (RGB).
        #expect(bytes.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
        #expect(bytes[16..<26] == [0, 0, 4, 0, 0, 0, 4, 0, 8, 2])
    }

    @Test("the project for Xcode contains each source folder of the app, and names no folder that does not exist")
    func project() throws {
        let project = try Self.text("project.yml")
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let paths = Set(project.matches(of: /- path: (\S+)/).map { String($0.1) })
        let products = Set(
            project.matches(of: /products: \[([^\]]+)\]/).flatMap { $0.1.split(separator: ", ").map(String.init) })
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: Self.app.appending(path: path).path), "\(path)")
        }
        // The targets of the package by their folders.
        let targets = Dictionary(
            manifest.matches(of: /name: "(\w+)",(?:(?!name:)[\s\S])*?path: "Apps\/iOS\/(\w+)"/).map {
                (String($0.2), String($0.1))
            }, uniquingKeysWith: { first, _ in first })
        for folder in try Self.sourceFolders() {
            let isLibrary = targets[folder].map(products.contains) ?? false
            #expect(paths.contains(folder) || isLibrary, "\(folder) is in no target of project.yml")
        }
        #expect(products.isSubset(of: Set(targets.values)), "a product is a target of the package")
        // Each program links every library of the app that its sources import.
        for (folder, linked) in project.matches(of: /- path: (\w+)\n[\s\S]*?products: \[([^\]]+)\]/).map({
            (String($0.1), Set($0.2.split(separator: ", ").map(String.init)))
        }) {
            let imported = try Self.swiftFiles(in: folder).flatMap { file in
                try String(contentsOf: file, encoding: .utf8).matches(of: /(?m)^import (\w+)$/).map { String($0.1) }
            }.filter(Set(targets.values).contains)
            #expect(!imported.isEmpty && linked.isSuperset(of: imported), "\(folder) links \(linked.sorted())")
        }
        let app = try #require(project.firstMatch(of: /products: \[([^\]]+)\]/)?.1)
        let programs = ["PinkTowerProgram", "PinkTowerWidgets"]
        #expect(
            Set(app.split(separator: ", ").map(String.init)) == Set(targets.values).subtracting(programs),
            "the app links all libraries")
        #expect(project.contains("iOS: \"17.0\"") && project.contains("SWIFT_VERSION: \"6.0\""))
        for path in project.matches(of: /(?:INFOPLIST_FILE|CODE_SIGN_ENTITLEMENTS): (\S+)/).map(\.1) {
            #expect(FileManager.default.fileExists(atPath: Self.app.appending(path: path).path), "\(path)")
        }
    }
}
