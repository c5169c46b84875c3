import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI
import TestKit
import Testing

@testable import ScreenUI

/// The tokens as the app uses them.
@Suite("The design of the app")
@MainActor
struct DesignTests {
    @Test("a color follows theme, light and dark mode", arguments: PTTheme.allCases, PTMode.allCases)
    func colors(_ theme: PTTheme, _ mode: PTMode) throws {
        var environment = EnvironmentValues.recorded(colorScheme: mode == .dark ? .dark : .light)
        let tokens = try Tokens()
        environment.design = Design(tokens: tokens, theme: theme, words: Words(.english, []))
        for role in PTColors.Role.allCases {
            let color = tokens.colors(theme, mode)[role]
            #expect(
                TokenStyle.token(role).resolve(in: environment)
                    == Color(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: color.alpha))
        }
    }

    @Test("text has the system's styles, so that it grows with the size that a person chose")
    func fonts() throws {
        let stage = Stage([.text(PTText("Small")), .greeting(PTGreeting(title: "Large"))])
        func font(_ text: String) throws -> Font {
            try #require(stage.root.all("Text").first { $0.text == text }?.modifier("font")?.value() as Font?)
        }
        #expect(try font("Small") == .system(.body, weight: .regular))
        #expect(try font("Large") == .system(.title, weight: .semibold))
    }

    @Test("an avatar grows with the text")
    func avatars() throws {
        func width(_ size: DynamicTypeSize) throws -> CGFloat {
            let stage = Stage(
                [.avatar(PTAvatar(initials: "AM", spoken: "Amara"))], environment: .recorded(dynamicTypeSize: size))
            let frames = stage.root.all("AvatarView").flatMap(\.all).flatMap(\.modifiers).filter {
                $0.name == "frame"
            }
            return try #require(frames.compactMap { $0.value("width") as CGFloat? }.max())
        }
        #expect(try width(.large) == 44)
        #expect(try width(.accessibility5) > 130)
        #expect(try width(.xSmall) < 44)
    }

    @Test(
        "the animations are those of the tokens, and a person who reduces motion sees none",
        .requirement("PT-3.03.c"))
    func motion() throws {
        let design = EnvironmentValues().design
        #expect(
            design.animation(\.springMedium, isReduced: false)
                == .spring(response: 0.6, dampingFraction: 0.8, blendDuration: 0))
        #expect(
            design.animation(\.easeOutSoft, isReduced: false) == .timingCurve(0.22, 0.8, 0.3, 1, duration: 0.28))
        #expect(design.animation(\.springMedium, isReduced: true) == nil)

        let stage = Stage(
            [.burst(PTCheckmarkBurst(title: "Done"))], environment: .recorded(reducesMotion: true))
        for modifier in stage.root.all.flatMap(\.modifiers) where modifier.name == "animation" {
            #expect(modifier.value("") as Animation? == nil)
        }
        #expect(stage.recorder.evaluations["BurstView"] == 1)
    }

    @Test("every icon has a symbol of the system, and no two meanings share one by accident")
    func symbols() {
        let symbols = Dictionary(grouping: PTIcon.allCases, by: \.symbol).filter { $1.count > 1 }
        #expect(symbols.mapValues { $0.map(\.rawValue) } == ["line.3.horizontal": ["grip", "menu"]])
        #expect(PTIcon.allCases.allSatisfy { $0.symbol.wholeMatch(of: /[a-z0-9]+(\.[a-z0-9]+)*/) != nil })
    }

    @Test("the texts of the app are there in both languages", arguments: Language.allCases)
    func words(_ language: Language) throws {
        let design = try Design(theme: .wolfwhale, language: language)
        #expect(design.words("app.cancel") == (language == .english ? "Cancel" : "Annuler"))
    }
}
