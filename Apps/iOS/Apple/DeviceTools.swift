import Foundation
public import Observation
public import ScreenUI
public import SwiftUI

/// The tools of the device that take over the screen: the code scanner, the document scanner and the drawing canvas.
///
/// A caller waits for the result. The view with `deviceTools(_:)` presents the tool.
@MainActor @Observable
public final class DeviceTools {
    /// A tool that takes over the screen.
    public enum Tool: String, CaseIterable, Sendable, Identifiable {
        case code, document, drawing
        public var id: String { rawValue }
    }

    /// The result of a tool.
    enum Result: Sendable {
        case code(String)
        case file(MadeFile)
    }

    /// The tool that is on the screen.
    var shown: Tool?
    @ObservationIgnored private var waiting: CheckedContinuation<Result?, Never>?

    public init() {}

    /// Whether the device has what the tool needs. Without it the page shows its web equivalent.
    public func isAvailable(_ tool: Tool) -> Bool {
        switch tool {
        case .code: CodeScanView.isAvailable
        case .document: DocumentScanView.isAvailable
        case .drawing: true
        }
    }

    /// Returns the text of a code that the person scanned; `nil` if the person canceled.
    public func scanCode() async -> String? {
        if case .code(let text) = await result(of: .code) { text } else { nil }
    }

    /// Returns scanned sheets of paper as a PDF document; `nil` if the person canceled.
    public func scanDocument() async -> MadeFile? {
        if case .file(let file) = await result(of: .document) { file } else { nil }
    }

    /// Returns a drawing as a picture; `nil` if the person canceled.
    public func draw() async -> MadeFile? {
        if case .file(let file) = await result(of: .drawing) { file } else { nil }
    }

    private func result(of tool: Tool) async -> Result? {
        guard isAvailable(tool) else { return nil }
        end(nil)
        return await withCheckedContinuation { continuation in
            waiting = continuation
            shown = tool
        }
    }

    /// Gives the waiting caller a result, and removes the tool from the screen.
    func end(_ result: Result?) {
        shown = nil
        let continuation = waiting
        waiting = nil
        continuation?.resume(returning: result)
    }
}

extension View {
    /// Presents the tools of the device over this view. The app's root view has this modifier once.
    public func deviceTools(_ tools: DeviceTools) -> some View { modifier(DeviceToolSheet(tools: tools)) }
}

private struct DeviceToolSheet: ViewModifier {
    @State var tools: DeviceTools

    init(tools: DeviceTools) { _tools = State(initialValue: tools) }

    func body(content: Content) -> some View {
        content.sheet(item: $tools.shown, onDismiss: { tools.end(nil) }) { tool in
            switch tool {
            case .code: CodeScanView { tools.end($0.map { .code($0) }) }
            case .document: DocumentScanView { tools.end($0.map { .file($0) }) }
            case .drawing: DrawingView { tools.end($0.map { .file($0) }) }
            }
        }
    }
}
