import AVFoundation
import AVKit
import AppRouter
import AuthenticationServices
import CoreMedia
import CoreNFC
import CoreSpotlight
import DesignSystem
import Domain
import Foundation
import PencilKit
import ScreenUI
import Speech
import SwiftUI
import Synchronization
import TestKit
import Testing
import VisionKit

@testable import AppleTools

/// The parts of the app that use Apple's other frameworks. The fakes of the frameworks are shared, so nothing runs at once.
@Suite("Apple's tools in the app", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct AppleToolTests {
    /// A web view and files of the session, as the app's shell has them.
    @MainActor
    private final class Base: HostedContent, SessionFiles {
        var held: [MadeFile] = []
        var asked: [String] = []
        let file = URL(filePath: "/session/file")

        func player(for video: PTVideo) -> AnyView? { AnyView(Text(verbatim: "page of the video")) }
        func player(for audio: PTAudio) -> AnyView? { nil }
        func picture(at address: String) async -> Image? { nil }
        func hold(_ file: MadeFile) async -> ChosenFile? {
            held.append(file)
            return ChosenFile(id: "\(held.count)", name: file.name)
        }
        func file(at path: String) async -> URL? {
            asked.append(path)
            return file
        }
    }

    private let base = Base()
    private let tools = DeviceTools()

    init() {
        RecordedCamera.isThere = true
        RecordedCamera.isAllowed = true
        RecordedCamera.isBroken = false
    }

    private var content: DeviceContent { DeviceContent(around: base, files: base, tools: tools) }

    /// A page of the app with the device's tools over it.
    private struct Page: View {
        let screen: Screen
        let handler: RecordingHandler
        let content: DeviceContent
        let tools: DeviceTools

        var body: some View {
            ScreenView(screen: screen, handler: handler).hosting(content).deviceTools(tools)
        }
    }

    /// The page in a recorder, drawn again for each look.
    @MainActor
    private final class Visit {
        let recorder = ViewRecorder(environment: .recorded())
        let handler = RecordingHandler()
        let page: Page

        init(_ components: [Component], _ content: DeviceContent, _ tools: DeviceTools) {
            page = Page(
                screen: Screen(title: "Sample", body: components), handler: handler, content: content, tools: tools)
        }

        var root: RecordedView { recorder.record(page) }

        func press(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let button = root.all("Button").first { $0.spoken.contains(text) }
            try #require(button, "no button says '\(text)'", sourceLocation: sourceLocation).press()
        }

        /// Waits until an element of a kind is on the screen, and returns the object of UIKit in it.
        func object<Object>(
            _ kind: String, _ type: Object.Type, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Object {
            for _ in 0..<1000 {
                if let object = root.all(kind).first?.values.first?.value as? Object { return object }
                await Task.yield()
            }
            throw Missing(kind: kind)
        }

        struct Missing: Error { let kind: String }

        func wait(_ isTrue: () -> Bool) async {
            for _ in 0..<1000 where !isTrue() {
                await Task.yield()
                _ = root
            }
        }
    }

    private func visit(_ components: [Component]) -> Visit { Visit(components, content, tools) }

    private func island(_ name: String, _ properties: [String: String], words: [String: String]) throws -> PTIsland
    {
        struct Properties: Encodable {
            let values: [String: String]
            let words: [String: String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in values { try container.encode(value, forKey: Key(stringValue: key)) }
                try container.encode(words, forKey: Key(stringValue: "words"))
            }
        }
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        return try PTIsland(name, properties: Properties(values: properties, words: words), fallback: "Fallback")
    }

    // MARK: - Codes

    @Test("a scanned code ends the scanner with its text, and only the first readable code counts")
    func codes() async throws {
        let visit = visit([])
        async let code = tools.scanCode()
        let scanner = try await visit.object("CodeScanView", DataScannerViewController.self)
        #expect(scanner.isScanning)
        let items: [RecognizedItem] = [.recorded(code: nil), .recorded(code: "GATE-7"), .recorded(code: "GATE-8")]
        scanner.delegate?.dataScanner(scanner, didAdd: items, allItems: items)
        scanner.delegate?.dataScanner(scanner, didAdd: items, allItems: items)
        #expect(await code == "GATE-7")
        #expect(!scanner.isScanning && tools.shown == nil)
        #expect(visit.recorder.faults == [])
    }

    @Test("closing the scanner, a camera that fails, and a device without one give no code")
    func noCodes() async throws {
        let visit = visit([])
        async let closed = tools.scanCode()
        _ = try await visit.object("CodeScanView", DataScannerViewController.self)
        let scanner = visit.root.all("CodeScanView").first
        scanner?.environment.dismiss()
        #expect(await closed == nil)
        await visit.wait { visit.root.all("CodeScanView").isEmpty }
        RecordedCamera.isBroken = true
        async let broken = tools.scanCode()
        _ = try await visit.object("CodeScanView", DataScannerViewController.self)
        await visit.wait { tools.shown == nil }
        #expect(await broken == nil)
        RecordedCamera.isAllowed = false
        #expect(!tools.isAvailable(.code))
        #expect(await tools.scanCode() == nil)
    }

    // MARK: - Documents and drawings

    @Test("scanned sheets become one PDF document, which the form of the page sends")
    func documents() async throws {
        let capture = try island(
            "capture", ["kind": "scan", "target": "work"], words: ["camera": "Photograph sheets"])
        let form = PTForm(
            id: "hand-in", action: "/hand-in",
            fields: [PTField(.file(accept: ["application/pdf"]), name: "work", label: "Work")],
            submit: SubmitButton(title: "Hand in"), key: "k")
        let visit = visit([.island(capture), .form(form)])
        try visit.press("Photograph sheets")
        let camera = try await visit.object("DocumentScanView", VNDocumentCameraViewController.self)
        camera.delegate?.documentCameraViewController(camera, didFinishWith: makeScan("one", "two"))
        await visit.wait { visit.root.texts.contains("scan.pdf") }
        let file = MadeFile(name: "scan.pdf", mediaType: "application/pdf", content: Data("%PDFonetwo".utf8))
        #expect(base.held == [file])
        try visit.press("Hand in")
        await visit.wait { !visit.handler.events.isEmpty }
        guard case .ran(_, let extras) = try #require(visit.handler.events.first) else {
            Issue.record("no command ran: \(visit.handler.events)")
            return
        }
        #expect(extras.files["work"] == [ChosenFile(id: "1", name: "scan.pdf")])
        #expect(visit.recorder.faults == [])
    }

    @Test("on the scanner's own page the document goes to the share sheet")
    func sharedDocument() async throws {
        let capture = try island(
            "capture", ["kind": "scan"], words: ["camera": "Photograph sheets", "save": "Save"])
        let visit = visit([.island(capture)])
        try visit.press("Photograph sheets")
        let camera = try await visit.object("DocumentScanView", VNDocumentCameraViewController.self)
        camera.delegate?.documentCameraViewController(
            camera, didFinishWith: makeScan("one"))
        await visit.wait { !visit.root.all("ShareLink").isEmpty }
        let link = try #require(visit.root.all("ShareLink").first)
        let file = try #require(link.values.first?.value as? URL)
        #expect(link.spoken == "Save" && file.lastPathComponent == "scan.pdf")
        #expect(try Data(contentsOf: file) == Data("%PDFone".utf8))
        #expect(base.held.isEmpty)
    }

    @Test("a canceled scan, a camera error and a scan without pages make no document")
    func noDocuments() async throws {
        let visit = visit([])
        for end in 0..<3 {
            async let document = tools.scanDocument()
            let camera = try await visit.object("DocumentScanView", VNDocumentCameraViewController.self)
            switch end {
            case 0: camera.delegate?.documentCameraViewControllerDidCancel(camera)
            case 1:
                camera.delegate?.documentCameraViewController(camera, didFailWithError: CocoaError(.fileNoSuchFile))
            default: camera.delegate?.documentCameraViewController(camera, didFinishWith: makeScan())
            }
            #expect(await document == nil)
            await visit.wait { visit.root.all("DocumentScanView").isEmpty }
        }
    }

    @Test("a drawing becomes a picture with two pixels for each point, and an empty canvas none")
    func drawings() async throws {
        let visit = visit([])
        for isEmpty in [false, true] {
            async let drawing = tools.draw()
            let canvas = try await visit.object("CanvasView", PKCanvasView.self)
            #expect(canvas.drawingPolicy == .anyInput && RecordedPicker.responder === canvas)
            if !isEmpty { canvas.draw(CGRect(x: 4, y: 8, width: 100, height: 50)) }
            try visit.press("Use the drawing")
            let picture = MadeFile(
                name: "drawing.png", mediaType: "image/png", content: Data("picture 200 x 100".utf8))
            #expect(await drawing == (isEmpty ? nil : picture))
            await visit.wait { visit.root.all("CanvasView").isEmpty }
        }
        async let canceled = tools.draw()
        _ = try await visit.object("CanvasView", PKCanvasView.self)
        try visit.press("Cancel")
        #expect(await canceled == nil)
    }

    @Test("where the device has no camera for documents, or a newer server has another tool, the island stays one")
    func fallback() throws {
        RecordedCamera.isThere = false
        let capture = try island("capture", ["kind": "scan"], words: [:])
        let quest = PTIsland("quest", fallback: "Fallback")
        let newer = try island("capture", ["kind": "film"], words: [:])
        let texts = visit([.island(capture), .island(quest), .island(newer)]).root.texts
        #expect(texts.filter { $0 == "Fallback" }.count == 3)
        for island in [capture, quest, newer] { #expect(content.nativeView(for: island) == nil) }
    }

    // MARK: - Video and models

    @Test("a video of the school plays from its position, in picture in picture and over AirPlay")
    func video() async throws {
        let visit = visit([.video(PTVideo(url: "/files/7", title: "Beans", position: 90))])
        let tasks = visit.root.all.flatMap(\.modifiers).filter { $0.name == "task" && $0.value("id") == "/files/7" }
        await tasks.first?.work?()
        let controller = try await visit.object("PlayerView", AVPlayerViewController.self)
        let player = try #require(controller.player)
        #expect(player.recordedURL == base.file && player.recordedPosition == 90)
        #expect(player.allowsExternalPlayback && controller.allowsPictureInPicturePlayback)
        #expect(controller.canStartPictureInPictureAutomaticallyFromInline)
        #expect(base.asked == ["/files/7"])
        #expect(RecordedSound.categories.withLock { $0.last } == "playback")
        let other = self.visit([.video(PTVideo(url: "https://video.example/7", title: "Beans", position: 0))])
        #expect(other.root.texts.contains("page of the video"))
    }

    @Test("a material is placed in the room with Quick Look")
    func model() async throws {
        let model = try island(
            "model", ["usdz": "/assets/tower.usdz", "title": "Pink Tower"], words: ["room": "Place in your room"])
        let visit = visit([.island(model)])
        func shown() -> URL? {
            let preview = visit.root.all.compactMap { $0.modifier("quickLookPreview") }.first
            let file: URL?? = preview?.value()
            return file ?? nil
        }
        #expect(shown() == nil)
        try visit.press("Place in your room")
        await visit.wait { shown() != nil }
        #expect(shown() == base.file && base.asked == ["/assets/tower.usdz"])
    }

    // MARK: - Speech

    @Test("dictation writes down what is said on the device, and ends by itself or by the button")
    func dictation() async throws {
        RecordedSpeech.heard.withLock { $0 = ("The beans have roots.", false) }
        let words = [
            "speak": "Speak", "stop": "Stop", "copy": "Copy", "clear": "Clear", "refused": "The microphone is off.",
        ]
        let visit = visit([.island(try island("speech", ["language": "en"], words: words))])
        try visit.press("Speak")
        await visit.wait { visit.root.texts.contains("The beans have roots.") }
        #expect(visit.root.texts.contains("Stop"))
        #expect(RecordedSound.categories.withLock { $0.last } == "record")
        try visit.press("Stop")
        #expect(visit.root.texts.contains("Speak"))
        #expect(visit.root.all("ShareLink").first?.values.first?.value as? String == "The beans have roots.")
        try visit.press("Clear")
        #expect(!visit.root.texts.contains("The beans have roots."))
        RecordedSpeech.heard.withLock { $0 = ("Done.", true) }
        try visit.press("Speak")
        await visit.wait { visit.root.texts.contains("Done.") }
        await visit.wait { visit.root.texts.contains("Speak") }
        #expect(visit.root.texts.contains("Speak"))
    }

    @Test("a refused microphone says so, and a language that needs a server stays in the web view")
    func noDictation() async throws {
        RecordedSound.isAllowed.withLock { $0 = false }
        defer { RecordedSound.isAllowed.withLock { $0 = true } }
        let words = ["speak": "Speak", "refused": "The microphone is off."]
        let visit = visit([
            .island(try island("speech", ["language": "en"], words: words)),
            .island(try island("speech", ["language": "fr"], words: words)),
        ])
        #expect(visit.root.texts.contains("Fallback"))
        try visit.press("Speak")
        await visit.wait { visit.root.texts.contains("The microphone is off.") }
        #expect(visit.root.texts.contains("The microphone is off."))
        RecordedSpeech.isAllowed.withLock { $0 = false }
        defer { RecordedSpeech.isAllowed.withLock { $0 = true } }
        #expect(await Dictation().start(in: Locale(identifier: "en")) == false)
        RecordedSpeech.isAllowed.withLock { $0 = true }
        RecordedSound.isAllowed.withLock { $0 = true }
        RecordedSound.isBroken.withLock { $0 = true }
        defer { RecordedSound.isBroken.withLock { $0 = false } }
        #expect(await Dictation().start(in: Locale(identifier: "en")) == false)
    }

    // MARK: - Tags

    @Test("the number of a tag is read as hexadecimal digits, with the text of the app in the system's sheet")
    func tags() async throws {
        let reader = TagReader(prompt: "Hold your tag to the device")
        RecordedReader.next.withLock { $0 = .foundMiFare(Data([0x04, 0xA2, 0x0F])) }
        #expect(try await reader.read() == "04A20F")
        RecordedReader.next.withLock { $0 = .foundFeliCa(Data([0xFE])) }
        #expect(try await reader.read() == "FE", "a reader reads again")
        #expect(RecordedReader.prompts.withLock { $0.last } == "Hold your tag to the device")
    }

    @Test("canceling ends reading without an error to show, a timeout with one, and some devices cannot read")
    func noTags() async throws {
        let reader = TagReader(prompt: "Hold your tag to the device")
        RecordedReader.next.withLock { $0 = .ending(.readerSessionInvalidationErrorUserCanceled) }
        await #expect(throws: CancellationError.self) { _ = try await reader.read() }
        RecordedReader.next.withLock { $0 = .ending(.readerSessionInvalidationErrorSessionTimeout) }
        await #expect(throws: TagReader.Failure.failed) { _ = try await reader.read() }
        RecordedReader.isThere.withLock { $0 = false }
        defer { RecordedReader.isThere.withLock { $0 = true } }
        await #expect(throws: TagReader.Failure.unavailable) { _ = try await reader.read() }
    }

    // MARK: - Signing in

    @Test("Sign in with Apple passes on the token, the code and the name")
    func apple() async throws {
        var name = PersonNameComponents()
        name.givenName = "Ana"
        let signIn = SystemSignIn(
            .recorded { request in
                let request = try #require(request as? ASAuthorizationAppleIDRequest)
                #expect(request.nonce == "n-7" && request.requestedScopes == [.fullName, .email])
                return .recorded(token: Data("token".utf8), code: Data("code".utf8), name: name)
            })
        let identity = try #require(try await signIn.apple(nonce: "n-7"))
        #expect(identity.token == "token" && identity.code == "code" && identity.name?.givenName == "Ana")
        #expect(identity.user == "001.ana")
        let empty = SystemSignIn(.recorded { _ in .recorded(token: nil, code: nil, name: nil) })
        await #expect(throws: SystemSignIn.UnexpectedAnswer()) { _ = try await empty.apple(nonce: "n-7") }
    }

    @Test("a passkey's answer is passed on in base64url, for the domain and the challenge of the server")
    func passkey() async throws {
        let signIn = SystemSignIn(
            .recorded { request in
                let request = try #require(request as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest)
                #expect(request.recordedServer == "school.example" && request.recordedChallenge == Data([7]))
                return .recorded(
                    passkey: Data([0xFB, 0xFF]), clientData: Data("{}".utf8), authenticatorData: Data([0xFE]),
                    signature: Data([0x3F, 0xEF, 0xFF]), user: Data([0x07]))
            })
        let assertion = try #require(try await signIn.passkey(of: "school.example", challenge: Data([7])))
        #expect(assertion.passkeyId == "-_8" && assertion.clientData == "e30")
        #expect(assertion.authenticatorData == "_g" && assertion.signature == "P-__")
        #expect(assertion.userHandle == "Bw")
        let canceled = SystemSignIn(.recorded { _ in throw ASAuthorizationError.recorded(.canceled) })
        #expect(try await canceled.passkey(of: "school.example", challenge: Data([7])) == nil)
        #expect(try await canceled.apple(nonce: "n-7") == nil)
        let failed = SystemSignIn(.recorded { _ in throw ASAuthorizationError.recorded(.failed) })
        await #expect(throws: ASAuthorizationError.self) { _ = try await failed.apple(nonce: "n-7") }
    }

    @Test("a security key signs in where the device has no passkey, and has to know its person")
    func securityKey() async throws {
        let signIn = SystemSignIn(
            .recordedAll { requests in
                let request = try #require(
                    requests.last as? ASAuthorizationSecurityKeyPublicKeyCredentialAssertionRequest)
                #expect(requests.count == 2 && request.isVerifying)
                #expect(request.recordedServer == "school.example" && request.recordedChallenge == Data([7]))
                return .recorded(
                    securityKey: Data([1]), clientData: Data([2]), authenticatorData: Data([3]),
                    signature: Data([4]), user: Data([5]))
            })
        let assertion = try #require(try await signIn.passkey(of: "school.example", challenge: Data([7])))
        #expect(assertion.passkeyId == "AQ" && assertion.userHandle == "BQ")
    }

    private static let newPasskey = SystemSignIn.NewPasskey(
        server: "school.example", challenge: Data([7]), user: Data([9]), name: "ana@school.example",
        displayName: "Ana", known: [Data([1]), Data([2])])

    @Test("a new passkey is made on the device or on a security key, which both have to know their person")
    func newPasskey() async throws {
        for isOnKey in [false, true] {
            let signIn = SystemSignIn(
                .recordedAll { requests in
                    let device = try #require(
                        requests.first as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest)
                    let key = try #require(
                        requests.last as? ASAuthorizationSecurityKeyPublicKeyCredentialRegistrationRequest)
                    let expected = RecordedRegistration(
                        server: "school.example", challenge: Data([7]), name: "ana@school.example",
                        displayName: "Ana", user: Data([9]), excluded: [Data([1]), Data([2])], isVerifying: true)
                    #expect(device.recorded == expected && key.recorded == expected)
                    #expect(key.recordedAlgorithms == [-7] && key.isResident && key.excludesEveryTransport)
                    return .recorded(
                        newPasskey: Data("{}".utf8), attestation: Data([0xFB, 0xFF]), isOnKey: isOnKey)
                })
            let made = try #require(try await signIn.create(Self.newPasskey))
            #expect(made.clientData == "e30" && made.attestation == "-_8")
        }
    }

    @Test("a canceled passkey is no error, an answer without attestation and a failure are")
    func noNewPasskey() async throws {
        let canceled = SystemSignIn(.recorded { _ in throw ASAuthorizationError.recorded(.canceled) })
        #expect(try await canceled.create(Self.newPasskey) == nil)
        let empty = SystemSignIn(.recorded { _ in .recorded(newPasskey: Data(), attestation: nil) })
        await #expect(throws: SystemSignIn.UnexpectedAnswer()) { _ = try await empty.create(Self.newPasskey) }
        let failed = SystemSignIn(.recorded { _ in throw ASAuthorizationError.recorded(.failed) })
        await #expect(throws: ASAuthorizationError.self) { _ = try await failed.create(Self.newPasskey) }
    }

    // MARK: - Spotlight

    @Test(
        "entries in the system's search have the identifiers of the server, and lead to those pages",
        .requirement("WW-1.14.e"), arguments: SpotlightIndex.Entry.Kind.allCases)
    func spotlight(_ kind: SpotlightIndex.Entry.Kind) async throws {
        let id = try #require(UUID(uuidString: "0198B7A2-0000-7000-8000-00000000007F"))
        let index = SpotlightIndex()
        let entry = SpotlightIndex.Entry(kind, id, title: "Geometry", detail: "Room 4")
        try await index.replace(with: [entry, SpotlightIndex.Entry(kind, UUID(), title: "Old")])
        try await index.replace(with: [entry])
        let stored = RecordedIndex.entries.withLock { $0 }
        let identifier = "\(kind.rawValue):0198b7a2-0000-7000-8000-00000000007f"
        #expect(stored.map(\.identifier) == [identifier])
        #expect(stored.first?.title == "Geometry" && stored.first?.detail == "Room 4")
        // The system tells the identifier when the person opens the entry.
        let opened = SpotlightIndex.identifier(of: [CSSearchableItemActivityIdentifier: identifier])
        let router = AppRouter(server: try #require(URL(string: "https://school.example")))
        #expect(
            router.destination(ofPayload: try #require(opened))
                == .page(path: "/open?link=\(kind.rawValue)%3A0198b7a2%2D0000%2D7000%2D8000%2D00000000007f"))
        #expect(SpotlightIndex.activityType == CSSearchableItemActionType)
        #expect(SpotlightIndex.identifier(of: nil) == nil)
        try await index.clear()
        #expect(RecordedIndex.entries.withLock { $0.isEmpty })
    }
}
