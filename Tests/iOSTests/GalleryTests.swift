import DesignSystem
import DesignTokens
import Domain
import Foundation
import SwiftUI
import TestKit
import Testing
import WebHTML

@testable import ScreenUI

/// The page with every component in every state, drawn by the views of the app.
@Suite("The gallery in the app")
@MainActor
struct GalleryTests {
    private static func gallery(_ language: Language = .english) throws -> Screen {
        Gallery.screen(words: Words(language, [try WebHTML.catalog()]))
    }

    /// All values of a type within a value.
    private static func values<Value>(_ type: Value.Type, in whole: Any) -> [Value] {
        Mirror(reflecting: whole).children.flatMap { child -> [Value] in
            (child.value as? Value).map { [$0] } ?? [] + values(type, in: child.value)
        }
    }

    @Test("the gallery has every component, so that these tests see all of them")
    func complete() throws {
        var names: Set<String> = []
        func note(_ components: [Component]) {
            for component in components {
                let mirror = Mirror(reflecting: component)
                if let name = mirror.children.first?.label { names.insert(name) }
                for child in mirror.children {
                    note(Self.values([Component].self, in: child.value).flatMap(\.self))
                }
            }
        }
        let gallery = try Self.gallery()
        note(gallery.body + gallery.sheets.flatMap(\.body))
        let source = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Modules/DesignSystem/Sources/Component.swift"),
            encoding: .utf8)
        let all = Set(source.matches(of: /case (\w+)\(/).map { String($0.1) })
        #expect(all.count > 40)
        #expect(all.subtracting(names).sorted() == Self.elsewhere)
    }

    /// Components that the gallery does not show; `ScreenTests` shows them.
    static let elsewhere = ["actionBar"]

    @Test(
        "every component appears in light and dark mode, at the standard and the largest text size, on a phone and a tablet",
        arguments: [ColorScheme.light, .dark], [DynamicTypeSize.large, .accessibility5])
    func appears(_ scheme: ColorScheme, _ size: DynamicTypeSize) throws {
        for width in [UserInterfaceSizeClass.compact, .regular] {
            let stage = Stage(
                try Self.gallery(),
                environment: .recorded(colorScheme: scheme, dynamicTypeSize: size, horizontalSizeClass: width))
            #expect(stage.recorder.faults == [])
            #expect(stage.texts.contains("MAPLE-7431"))
            #expect(stage.root.all.count > 500)
        }
    }

    @Test("every text of the gallery is on the page, in both languages", arguments: Language.allCases)
    func texts(_ language: Language) throws {
        let gallery = try Self.gallery(language)
        let stage = Stage(gallery, environment: .recorded(horizontalSizeClass: .regular))
        let shown = Set(stage.texts)
        for cell in gallery.cells { #expect(shown.contains(cell.title)) }
        for form in gallery.forms {
            for field in form.fields where field.kind != .hidden && !field.isFolded {
                #expect(stage.root.all.contains { $0.spoken.contains(field.label) }, "\(field.label)")
                if let error = field.error { #expect(shown.contains(error)) }
            }
        }
        for button in Self.values(PTButton.self, in: gallery.body) {
            #expect(shown.contains(button.title) || stage.root.all("Button").contains { $0.spoken == button.title })
        }
    }

    @Test("every control has a label, and none of them is a key of a catalog")
    func labels() throws {
        let stage = Stage(try Self.gallery())
        let kinds = [
            "Button", "Menu", "Toggle", "TextField", "SecureField", "Picker", "DatePicker", "DisclosureGroup",
        ]
        let controls = kinds.flatMap { stage.root.all($0) }
        #expect(controls.count > 100)
        for control in controls {
            #expect(
                control.spoken.contains { $0.isLetter || $0.isNumber },
                "\(control.kind) at \(control.path) says nothing")
            #expect(!control.spoken.contains("«"), "\(control.spoken)")
        }
    }

    @Test("every action of the gallery reaches the handler")
    func actions() async throws {
        let gallery = try Self.gallery()
        let expected = Set(Self.values(PTAction.self, in: gallery).map(Self.name))
        // A wide screen also shows the list of conversations beside one of them.
        let stage = Stage(gallery, environment: .recorded(horizontalSizeClass: .regular))
        try stage.press(try #require(gallery.floatingButton?.title))
        let buttons = stage.root.all("Button").filter(\.isEnabled)
        var reached: Set<String> = []
        for button in buttons {
            let before = stage.handler.events.count
            button.press()
            for _ in 0..<5 { await Task.yield() }
            if stage.handler.events.count == before {
                stage.show()
                if let confirm = stage.content(of: "confirmationDialog").first {
                    confirm.press()
                    for _ in 0..<5 { await Task.yield() }
                }
                if let sheet = stage.content(of: "sheet").first {
                    reached.insert("sheet \(gallery.sheets[0].id)")
                    try #require(sheet.all("Button").first { $0.spoken == "Close" }).press()
                }
            }
            reached.formUnion(stage.handler.events.dropFirst(before).map(Self.name))
        }
        #expect(buttons.count > 100)
        #expect(expected.count > 10)
        #expect(expected.subtracting(reached).sorted() == [])
    }

    private static func name(_ action: PTAction) -> String {
        switch action {
        case .open(let path): "open \(path)"
        case .present(let sheet): "sheet \(sheet)"
        case .perform(let call): "run \(call.path) \(call.fields["sample"] ?? "")"
        case .external(let address): "leave \(address)"
        case .allowNotifications: "notifications"
        }
    }

    private static func name(_ event: RecordingHandler.Event) -> String {
        switch event {
        case .opened(let path, _): "open \(path)"
        case .presented(let path): "sheet \(path)"
        case .ran(let call, _): "run \(call.path) \(call.fields["sample"] ?? "")"
        case .left(let address): "leave \(address)"
        case .askedForNotifications: "notifications"
        case .chose, .reloaded: "\(event)"
        }
    }

    @Test("all colors and distances are values of the tokens")
    func styles() throws {
        let stage = Stage(try Self.gallery())
        let design = EnvironmentValues().design
        let spacing = design.tokens.spacing
        let lengths = Set(
            [
                spacing.hair, spacing.snug, spacing.xxs, spacing.xs, spacing.sm, spacing.md, spacing.lg, spacing.xl,
                spacing.xxl, spacing.xxxl,
            ].map { CGFloat($0.points) } + [0])
        let all = stage.root.all
        for value in all.flatMap({ $0.values + $0.modifiers.flatMap(\.values) }) {
            switch value.label {
            case "style", "fill", "stroke": #expect(value.value is TokenStyle, "\(value)")
            case "spacing", "horizontalSpacing", "verticalSpacing", "length":
                #expect((value.value as? CGFloat).map(lengths.contains) ?? true, "\(value)")
            default: break
            }
        }
        #expect(all.flatMap(\.modifiers).contains { $0.name == "foregroundStyle" })
    }

    @Test("a target for a finger has at least 44 points in both directions")
    func targets() throws {
        let design = EnvironmentValues().design
        #expect(design.size(.hit) == 44)
        let stage = Stage(try Self.gallery())
        for button in stage.root.all("Button") {
            // Menus and dialogs of the system have targets of their own.
            guard button.path.contains("/items/") == false, !button.path.contains("swipe") else { continue }
            let frames = button.all.flatMap(\.modifiers).filter { $0.name == "frame" }
            let heights = frames.flatMap(\.values).filter { ["minHeight", "height"].contains($0.label) }
                .compactMap { $0.value as? CGFloat }
            #expect((heights.max() ?? 0) >= 44, "\(button.spoken) at \(button.path)")
        }
    }
}
