import Foundation
public import Observation
public import ScreenUI
public import SwiftUI

/// The tools of the device that take over the screen: scanners of codes and documents, the canvas, the choice of files.
///
/// A caller waits for the result. A view with `deviceTools(_:)` presents the tool: the one that appeared last, since a
/// system presents nothing over a view that is below a sheet.
@MainActor @Observable
public final class DeviceTools {
    /// A tool that takes over the screen.
    public enum Tool: String, CaseIterable, Sendable, Identifiable {
        case code, document, drawing, files
        public var id: String { rawValue }
    }

    /// The result of a tool.
    enum Result: Sendable {
        case code(String)
        case file(MadeFile)
        case files([PickedFile])
    }

    /// The tool that is on the screen.
    private(set) var shown: Tool?
    /// The files that the caller asked for.
    @ObservationIgnored private(set) var request = FileRequest()
    /// The views that can present a tool, the last one in front.
    private var places: [UUID] = []
    @ObservationIgnored private var waiting: CheckedContinuation<Result?, Never>?

    public init() {}

    /// Whether the device has what the tool needs. Without it the page shows its web equivalent.
    public func isAvailable(_ tool: Tool) -> Bool {
        switch tool {
        case .code: CodeScanView.isAvailable
        case .document: DocumentScanView.isAvailable
        case .drawing, .files: true
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

    /// Returns copies of the files or photos that the person chose; none if the person canceled.
    public func chooseFiles(_ request: FileRequest) async -> [PickedFile] {
        self.request = request
        if case .files(let files) = await result(of: .files) { return files }
        return []
    }

    private func result(of tool: Tool) async -> Result? {
        guard isAvailable(tool) else { return nil }
        end(nil)
        return await withCheckedContinuation { continuation in
            waiting = continuation
            shown = tool
        }
    }

    /// The tool that the view at a place presents; `nil` if another one does.
    subscript(at place: UUID) -> Tool? {
        get { place == places.last ? shown : nil }
        set { if newValue == nil, place == places.last { shown = nil } }
    }

    func enter(_ place: UUID) { places.append(place) }

    func leave(_ place: UUID) {
        let wasInFront = place == places.last
        places.removeAll { $0 == place }
        // The tool went with the view that presented it.
        if wasInFront, shown != nil { end(nil) }
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
    /// Presents the tools of the device over this view: the root of the app, or the content of a sheet.
    public func deviceTools(_ tools: DeviceTools) -> some View { modifier(DeviceToolSheet(tools: tools)) }
}

private struct DeviceToolSheet: ViewModifier {
    @State var tools: DeviceTools
    @State private var place = UUID()

    init(tools: DeviceTools) { _tools = State(initialValue: tools) }

    func body(content: Content) -> some View {
        content.sheet(item: $tools[at: place], onDismiss: { if tools.shown == nil { tools.end(nil) } }) { tool in
            switch tool {
            case .code: CodeScanView { tools.end($0.map { .code($0) }) }
            case .document: DocumentScanView { tools.end($0.map { .file($0) }) }
            case .drawing: DrawingView { tools.end($0.map { .file($0) }) }
            case .files: FileChoiceView(request: tools.request) { tools.end(.files($0)) }
            }
        }
        .onAppear { tools.enter(place) }
        .onDisappear { tools.leave(place) }
    }
}
