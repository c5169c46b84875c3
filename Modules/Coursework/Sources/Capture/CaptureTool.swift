import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit
import ShellInterface

extension Permission {
    /// Scanning documents and drawing.
    static let capture = Permission("coursework.capture", Set(Role.guideRoles + [.student]))
}

/// The tools that make a file in the browser: for a submission, or to keep.
///
/// Nothing is sent to the server before the person hands the file in.
enum CaptureTool: String, CaseIterable, Sendable {
    /// A canvas for pen, finger, mouse and keyboard; its picture contains the strokes (WW-1.03, `DrawingCanvasView`).
    case drawing
    /// Photos of sheets of paper become one PDF document (WW-1.02, `DocumentScanView`).
    case scan

    /// The name of the island of both tools.
    static let island = "capture"

    /// The way of handing in work for which the tool is offered.
    var kind: Assignment.HandInKind { self == .scan ? .scan : .drawing }

    /// The path of the tool's own page.
    var path: String { "/tools/\(rawValue)" }
    var titleKey: String { "coursework.\(rawValue).title" }

    /// The entry in Tools on Home.
    var navigation: NavigationEntry {
        NavigationEntry(
            .tools, titleKey, icon: self == .scan ? .scan : .brush, path: path, order: self == .scan ? 60 : 61,
            permission: .capture)
    }

    var route: ScreenRoute {
        ScreenRoute(path, access: .member(.capture), tab: "/home") { request in
            let words = request.words
            return .screen(
                Screen(
                    title: words(titleKey), back: "/home",
                    body: [
                        .text(PTText(words("coursework.\(rawValue).explained"), role: .note)),
                        .island(try island(words)),
                    ]))
        }
    }

    /// The tool in a page.
    /// - Parameter target: the name of the file field that takes the result; without one it is downloaded.
    func island(_ words: Words, target: String? = nil) throws -> PTIsland {
        let prefix = "coursework.\(rawValue)."
        return try PTIsland(
            Self.island,
            properties: Properties(
                kind: rawValue, target: target,
                words: Dictionary(uniqueKeysWithValues: keys.map { ($0, words("\(prefix)\($0)")) })),
            fallback: words("coursework.capture.noScript"))
    }

    private struct Properties: Encodable {
        let kind: String
        let target: String?
        let words: [String: String]
    }

    /// The ends of the catalog keys of the island's texts.
    private var keys: [String] {
        let own =
            switch self {
            case .drawing:
                ["canvas", "keys", "undo", "redo", "clear", "clearTitle", "open", "notOurs", "color", "width"]
                    + (0...6).map { "color\($0)" } + (0...2).map { "width\($0)" }
            case .scan:
                [
                    "camera", "photos", "white", "done", "whole", "edit", "up", "down", "turn", "remove", "page",
                    "working", "full", "unreadable",
                ] + (0...3).map { "corner\($0)" }
            }
        return own + ["add", "added", "save", "file"]
    }
}
