import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ScreenKit
import ServerApp
import SwiftUI
import TestKit
import Testing
import Web

@testable import ScreenUI

/// Pages of the sample school, as the app receives them: encoded, decoded and drawn.
@Suite("The sample school in the app")
struct DemoPageTests {
    /// The sample school with one person signed in.
    private struct Visit {
        let composition: ServerComposition
        let caller: Caller
        let words: Words

        init(_ composition: ServerComposition, _ email: String, _ language: Language) async throws {
            self.composition = composition
            words = try #require(composition.words[language])
            let features = composition.features.features
            let signIn = try #require(
                features.flatMap(\.endpoints.commands).first { $0.contract.name == "auth.signIn" })
            let nobody = try await composition.pipeline.context(of: .nobody, words: words, remoteAddress: "test")
            let answer = try await composition.pipeline.execute(
                signIn, .object(["email": .text(email), "password": .text("rose cubes on a shelf")]), isForm: false,
                key: nil, in: nobody)
            struct Tokens: Decodable { let accessToken: String }
            let tokens = try JSONDecoder().decode(Tokens.self, from: answer.body)
            let account = try #require(
                try await composition.web.authenticator.account(accessToken: tokens.accessToken))
            caller = Caller(
                account: account, membership: try await composition.web.memberships.activeMembership(of: account))
        }

        /// Returns a page as the app has it after decoding; `nil` for a redirect or a page that the person may not see.
        func screen(_ address: String) async throws -> Screen? {
            let parts = try #require(URLComponents(string: address))
            guard let (route, parameters) = composition.features.screen(at: parts.path) else { return nil }
            let context = try await composition.pipeline.context(of: caller, words: words, remoteAddress: "test")
            let query = Dictionary(
                (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
            let request = ScreenRequest(
                context: context, path: parts.path, parameters: parameters, query: query,
                navigation: composition.features.navigation(for: caller),
                sections: composition.features.sections(for: caller),
                agenda: composition.features.agenda(for: caller),
                names: composition.features.features.flatMap(\.audit.names))
            let made: ScreenAnswer
            do {
                try PermissionService.authorize(page: route.access, area: route.area, caller)
                made = try await route.make(request)
            } catch is Problem {
                return nil
            }
            guard case .screen(let screen) = made else { return nil }
            return try JSONDecoder().decode(Screen.self, from: JSONEncoder().encode(screen))
        }

        /// The pages that links lead to, the tabs first; of addresses that differ only in ids, two.
        func pages(atMost limit: Int) async throws -> [(address: String, screen: Screen)] {
            var open = composition.features.navigation(for: caller).filter { !$0.isCommand }.map(\.path)
            var seen = Set(open)
            var alike: [String: Int] = [:]
            var found: [(address: String, screen: Screen)] = []
            while !open.isEmpty, found.count < limit {
                let address = open.removeFirst()
                guard let screen = try await self.screen(address) else { continue }
                found.append((address: address, screen: screen))
                for next in Self.links(of: screen) where seen.insert(next).inserted {
                    let kind = next.split(separator: "/").map {
                        $0.count > 30 ? "id" : String($0.prefix { $0 != "?" })
                    }
                    .joined(separator: "/")
                    alike[kind, default: 0] += 1
                    if alike[kind, default: 0] <= 2 { open.append(next) }
                }
            }
            return found
        }

        private static func links(of whole: Any) -> [String] {
            Mirror(reflecting: whole).children.flatMap { child -> [String] in
                switch child.value as? PTAction {
                case .open(let path), .present(let path): path.hasPrefix("/") ? [path] : []
                case .perform, .external, .allowNotifications: []
                case nil: links(of: child.value)
                }
            }
        }
    }

    @Test(
        "pages of every role are drawn from their JSON, in both languages, with every component and without faults")
    func pages() async throws {
        let folder = try TemporaryFolder()
        var settings = ServerSettings()
        settings.port = 0
        settings.dataFolder = folder.url.appending(path: "data")
        settings.weakPasswordHash = true
        _ = try await fillDemoSchool(settings)
        let composition = try await ServerComposition.build(settings)
        let people: [(String, Language)] = [
            ("ana", .english), ("guide1", .french), ("guide2", .english), ("sami", .french), ("luz", .english),
            ("noor", .french),
        ]
        for (name, language) in people {
            let visit = try await Visit(composition, "\(name)@demo.example", language)
            let pages = try await visit.pages(atMost: 30)
            #expect(pages.count >= 8, "\(name) sees only \(pages.map(\.address))")
            for page in pages { await Self.draw(page.screen, at: page.address, as: name) }
        }
        try await composition.close()
    }

    @MainActor
    private static func draw(_ screen: Screen, at address: String, as name: String) {
        for width in [UserInterfaceSizeClass.compact, .regular] {
            let stage = Stage(screen, environment: .recorded(colorScheme: .dark, horizontalSizeClass: width))
            #expect(stage.recorder.faults == [], "\(address) as \(name)")
            let shown = Set(stage.texts)
            // Rows inside of other components may be hidden, such as in a disclosure or on a past day.
            for component in screen.body {
                guard case .list(let list) = component else { continue }
                for cell in list.cells {
                    #expect(shown.contains(cell.title), "\(cell.title) on \(address) as \(name)")
                }
            }
            for control in stage.root.all("Button") + stage.root.all("Menu") {
                #expect(!control.spoken.isEmpty, "\(control.path) on \(address) as \(name) says nothing")
            }
            // A text without a translation is shown as its key.
            #expect(!stage.texts.contains { $0.contains("«app.") })
        }
    }
}
