public import DesignSystem
import Foundation
public import ScreenUI
public import SwiftUI

/// The content of pages with the tools of the device: where Apple has a native half, it takes the place of the island.
public final class DeviceContent: HostedContent {
    private let base: any HostedContent
    private let files: any SessionFiles
    private let tools: DeviceTools

    /// - Parameters:
    ///   - base: provides everything without a native half.
    ///   - files: loads videos and models.
    ///   - tools: the tools that the app's root view presents.
    public init(around base: any HostedContent, files: any SessionFiles, tools: DeviceTools) {
        self.base = base
        self.files = files
        self.tools = tools
    }

    public func nativeView(for island: PTIsland) -> AnyView? {
        switch island.name {
        case "capture":
            guard let capture: CaptureProperties = properties(of: island), tools.isAvailable(capture.kind.tool)
            else { return base.nativeView(for: island) }
            return AnyView(CaptureView(properties: capture, tools: tools, base: base))
        case "model":
            guard let model: ModelProperties = properties(of: island) else { return base.nativeView(for: island) }
            return AnyView(
                VStack {
                    MaterialPreviewView(title: model.words["room"] ?? model.title, model: model.usdz, files: files)
                    ComponentsView(components: island.body)
                })
        case "speech":
            guard let speech: SpeechProperties = properties(of: island),
                Dictation.isAvailable(in: Locale(identifier: speech.language))
            else { return base.nativeView(for: island) }
            return AnyView(DictationView(properties: speech))
        default: return base.nativeView(for: island)
        }
    }

    public func player(for video: PTVideo) -> AnyView? {
        // Videos of other sites are played by their own pages.
        video.url.hasPrefix("/")
            ? AnyView(FilePlayerView(address: video.url, position: video.position, files: files))
            : base.player(for: video)
    }

    public func player(for audio: PTAudio) -> AnyView? {
        audio.url.hasPrefix("/")
            ? AnyView(FilePlayerView(address: audio.url, position: 0, files: files)) : base.player(for: audio)
    }

    public func picture(at address: String) async -> Image? { await base.picture(at: address) }

    public func hold(_ file: MadeFile) async -> ChosenFile? { await base.hold(file) }

    public func presenting(over view: AnyView) -> AnyView { AnyView(view.deviceTools(tools)) }

    /// The properties of an island; `nil` if a newer server sends others, for which the web view has the script.
    private func properties<Properties: Decodable>(of island: PTIsland) -> Properties? {
        // Properties of a newer server: the web view has their script.
        try? JSONDecoder().decode(Properties.self, from: Data(island.properties.utf8))
    }
}

/// The server's description of the tool for scans and drawings.
struct CaptureProperties: Decodable, Hashable {
    enum Kind: String, Decodable {
        case scan, drawing
        var tool: DeviceTools.Tool { self == .scan ? .document : .drawing }
    }
    let kind: Kind
    /// The name of the file field that takes the result; `nil` on the tool's own page.
    let target: String?
    let words: [String: String]
}

/// The server's description of a material.
private struct ModelProperties: Decodable {
    let usdz: String
    let title: String
    let words: [String: String]
}

/// The server's description of dictation.
struct SpeechProperties: Decodable, Hashable {
    let language: String
    let words: [String: String]
}

/// A button that opens the scanner or the canvas, and what was made with it.
struct CaptureView: View {
    let properties: CaptureProperties
    let tools: DeviceTools
    let base: any HostedContent
    /// The file that was made, for the share sheet.
    @State private var shared: URL?
    @Environment(\.pageFiles) private var pageFiles

    init(properties: CaptureProperties, tools: DeviceTools, base: any HostedContent) {
        self.properties = properties
        self.tools = tools
        self.base = base
    }

    var body: some View {
        VStack {
            ToolButton(title: title, icon: properties.kind == .scan ? .scan : .brush) { Task { await make() } }
            if let shared {
                ShareLink(item: shared) { Text(verbatim: properties.words["save"] ?? shared.lastPathComponent) }
            }
        }
    }

    private var title: String {
        properties.words[properties.kind == .scan ? "camera" : "canvas"] ?? properties.words["add"] ?? ""
    }

    private func make() async {
        guard let file = properties.kind == .scan ? await tools.scanDocument() : await tools.draw() else { return }
        if let target = properties.target, let chosen = await base.hold(file) {
            pageFiles?.offer(chosen, to: target)
        } else {
            do {
                shared = try file.writeTemporary()
            } catch {
                // The device is full, and the system has told so. The person can try again.
                shared = nil
            }
        }
    }
}

/// Dictation of any text, to copy or share.
struct DictationView: View {
    let properties: SpeechProperties
    @State private var dictation = Dictation()
    @State private var isRefused = false

    init(properties: SpeechProperties) { self.properties = properties }

    var body: some View {
        VStack(alignment: .leading) {
            ToolButton(title: word(dictation.isListening ? "stop" : "speak"), icon: .mic) { toggle() }
            if isRefused { Text(verbatim: word("refused")) }
            if !dictation.text.isEmpty {
                Text(verbatim: dictation.text).textSelection(.enabled)
                ShareLink(item: dictation.text) { Text(verbatim: word("copy")) }
                ToolButton(title: word("clear"), icon: .trash) { dictation.clear() }
            }
        }
    }

    private func word(_ key: String) -> String { properties.words[key] ?? "" }

    private func toggle() {
        if dictation.isListening { return dictation.stop() }
        Task { isRefused = !(await dictation.start(in: Locale(identifier: properties.language))) }
    }
}
