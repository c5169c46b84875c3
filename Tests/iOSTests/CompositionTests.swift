import AVFoundation
import AVKit
import AuthenticationServices
import Client
import CoreNFC
import CoreSpotlight
import DesignSystem
import Domain
import Foundation
import PhotosUI
import ScreenUI
import ShellModel
import SwiftUI
import Synchronization
import TestKit
import Testing
import VisionKit
import Widgets

@testable import AppComposition
@testable import AppShell
@testable import AppleTools

extension AppleToolTests {
    /// The app as a device starts it: all its parts together, on the shapes of the frameworks.
    @Suite("The app out of its parts")
    @MainActor
    struct CompositionTests {
        @Test("a card is read through Core NFC, and a person who cancels gets no error")
        func cards() async throws {
            let reader = DeviceCardReader()
            RecordedReader.next.withLock { $0 = .foundMiFare(Data([0x04, 0xA2])) }
            #expect(reader.isAvailable)
            #expect(try await reader.read(prompt: "Hold your card to the device") == "04A2")
            #expect(RecordedReader.prompts.withLock { $0.last } == "Hold your card to the device")
            RecordedReader.next.withLock { $0 = .ending(.readerSessionInvalidationErrorUserCanceled) }
            #expect(try await reader.read(prompt: "Card") == nil)
            RecordedReader.next.withLock { $0 = .ending(.readerSessionInvalidationErrorSessionTimeout) }
            await #expect(throws: TagReader.Failure.failed) { _ = try await reader.read(prompt: "Card") }
            RecordedReader.isThere.withLock { $0 = false }
            defer { RecordedReader.isThere.withLock { $0 = true } }
            #expect(!reader.isAvailable)
        }

        @Test("the school's code is scanned with the camera from the first page, and closing the camera leaves it")
        func codes() async throws {
            RecordedCamera.isAllowed = true
            let device = try AppDevice(
                auth: ScriptedSession(isSignedIn: false), isInstalled: false, isComposed: true)
            await device.start()
            try device.press("Scan the school’s code")
            try await device.wait("the camera is shown") { device.has("CodeScanView") }
            device.root.all("CodeScanView").first?.environment.dismiss()
            try await device.wait("the camera is closed") { !device.has("CodeScanView") }
            #expect(device.session.server == nil)
            try device.press("Scan the school’s code")
            try await device.wait("the camera is shown") { device.has("CodeScanView") }
            let view = try #require(device.root.all("CodeScanView").first)
            let scanner = try #require(view.values.first?.value as? DataScannerViewController)
            let code = RecognizedItem.recorded(code: "https://maple.example/join/7")
            scanner.delegate?.dataScanner(scanner, didAdd: [code], allItems: [code])
            try await device.wait("the sign-in is shown") { device.texts.contains("maple.example") }
            RecordedCamera.isAllowed = false
            #expect(!DeviceCodeScanner(DeviceTools()).isAvailable)
            RecordedCamera.isAllowed = true
        }

        @Test("Sign in with Apple shows the system's sheet, whose token and name go to the server")
        func apple() async throws {
            let auth = ScriptedSession(isSignedIn: false)
            auth.appleNonce = "n-7"
            var name = PersonNameComponents()
            (name.givenName, name.familyName) = ("Ana", "Silva")
            let device = try AppDevice(
                auth: auth, isComposed: true,
                sheet: .recorded { request in
                    let request = try #require(request as? ASAuthorizationAppleIDRequest)
                    return .recorded(
                        token: Data("token of \(request.nonce ?? "")".utf8), code: Data("code".utf8), name: name)
                })
            await device.start()
            try device.press("Continue with Apple")
            try await device.wait("the main view is shown") { device.has("RoleBasedMainView") }
            #expect(auth.appleName == "Ana Silva" && auth.appleCode == "code")

            let canceled = DeviceSignIn()
            canceled.use(.recorded { _ in throw ASAuthorizationError.recorded(.canceled) })
            #expect(try await canceled.signIn(nonce: "n-7") == nil)
            #expect(try await canceled.signIn(challenge: "Bw", relyingParty: "maple.example") == nil)
        }

        @Test("a passkey answers the challenge of the server, which comes in base64url")
        func passkey() async throws {
            let signIn = DeviceSignIn()
            signIn.use(
                .recorded { request in
                    let request = try #require(
                        request as? ASAuthorizationPlatformPublicKeyCredentialAssertionRequest)
                    #expect(request.recordedServer == "maple.example")
                    #expect(request.recordedChallenge == Data([0xFB, 0xFF]))
                    return .recorded(
                        passkey: Data([1]), clientData: Data([2]), authenticatorData: Data([3]),
                        signature: Data([4]), user: Data([5]))
                })
            #expect(
                try await signIn.signIn(challenge: "-_8", relyingParty: "maple.example")
                    == PasskeyAssertion(
                        passkeyId: "AQ", clientData: "Ag", authenticatorData: "Aw", signature: "BA",
                        userHandle: "BQ"))
            await #expect(throws: SystemSignIn.UnexpectedAnswer()) {
                _ = try await signIn.signIn(challenge: "no base64url!", relyingParty: "maple.example")
            }
        }

        @Test("a new passkey gets the server's options, which come in base64url, and answers in base64url")
        func newPasskey() async throws {
            func options(_ challenge: String = "-_8") -> PasskeyOptions {
                PasskeyOptions(
                    challenge: challenge, relyingParty: "maple.example", userId: "BQ",
                    userName: "ana@maple.example", displayName: "Ana", known: ["AQ", "Ag"])
            }
            let signIn = DeviceSignIn()
            signIn.use(
                .recorded { request in
                    let request = try #require(
                        request as? ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest)
                    #expect(
                        request.recorded
                            == RecordedRegistration(
                                server: "maple.example", challenge: Data([0xFB, 0xFF]), name: "ana@maple.example",
                                displayName: "Ana", user: Data([5]), excluded: [Data([1]), Data([2])],
                                isVerifying: true))
                    return .recorded(newPasskey: Data([2]), attestation: Data([3]))
                })
            #expect(
                try await signIn.create(options()) == PasskeyRegistration(clientData: "Ag", attestation: "Aw"))
            await #expect(throws: SystemSignIn.UnexpectedAnswer()) {
                _ = try await signIn.create(options("no base64url!"))
            }
            signIn.use(.recorded { _ in throw ASAuthorizationError.recorded(.canceled) })
            #expect(try await signIn.create(options()) == nil)
        }

        // MARK: - Files

        /// A page with a form that takes photos and documents.
        private static let form = PTForm(
            id: "work", action: "/api/v1/work",
            fields: [
                PTField(name: "note", label: "Note"),
                PTField(.photos(side: 1600, max: 3), name: "photos", label: "Photos of the work"),
                PTField(.file(accept: ["application/pdf", ".csv"]), name: "report", label: "Report"),
                PTField(.file(accept: []), name: "any", label: "Anything"),
            ], submit: SubmitButton(title: "Hand in"), key: "work-1")

        private func device(_ form: PTForm = form) async throws -> AppDevice {
            let device = try AppDevice(isComposed: true)
            for path in ["/", "/today"] {
                device.server.on(
                    page: path, Screen(title: "Today", body: [.form(form)]), tabs: AppDevice.tabs)
            }
            device.server.on(page: "/messages", Screen(title: "Messages"), tabs: AppDevice.tabs)
            await device.start()
            return device
        }

        private func photo(_ text: String, in device: AppDevice) throws -> URL {
            let file = device.folder.url.appending(path: "\(UUID().uuidString).png")
            try Data(text.utf8).write(to: file)
            return file
        }

        @Test("photos come out of the library reduced to the side that the field names, and go with the form")
        func photos() async throws {
            let device = try await device()
            try device.press("Photos of the work")
            try await device.wait("the library is shown") { device.has("PhotoChoiceView") }
            let picker = try #require(
                device.root.all("PhotoChoiceView").first?.values.first?.value as? PHPickerViewController)
            #expect(picker.recordedConfiguration.selectionLimit == 3)
            #expect(picker.recordedConfiguration.filter == .images)
            #expect(picker.recordedConfiguration.preferredAssetRepresentationMode == .compatible)
            picker.delegate?.picker(
                picker,
                didFinishPicking: [
                    .recorded(type: "public.png", file: try photo("4000x3000", in: device), name: "IMG_7"),
                    .recorded(type: "public.png", file: nil, name: "gone"),
                ])
            try await device.wait("the photo is in the form") { device.texts.contains("IMG_7.jpg") }
            #expect(!device.has("PhotoChoiceView"))
            try device.enter("The tower", into: "Note")

            // Without a network nothing is lost.
            device.server.on("POST /api/v1/work", failing: .unreachable("no network"))
            try device.press("Hand in")
            try await device.wait("the refusal is shown") {

                device.texts.contains(where: { $0.contains("What you entered is still here") })

            }
            #expect(device.texts.contains("IMG_7.jpg"))
            let note = try #require(device.root.all("TextField").first { $0.spoken.contains("Note") })
            #expect(note.input?.value as? String == "The tower")

            let sent = Mutex(Data())
            device.server.on("POST /api/v1/work") { request in
                let file = try #require(request.bodyFile)
                sent.withLock { $0 = FileManager.default.contents(atPath: file.path) ?? Data() }
                return Data("{}".utf8)
            }
            try device.press("Hand in")
            try await device.wait("the form is sent") { sent.withLock { !$0.isEmpty } }
            let body = String(decoding: sent.withLock { $0 }, as: UTF8.self)
            #expect(body.contains("filename=\"IMG_7.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n1600x1200\r\n"))
            #expect(body.contains("The tower") && body.contains("work-1"))
            try await device.wait("the copy is deleted") {
                let files = device.folder.url.appending(path: "app/files").path
                return (FileManager.default.subpaths(atPath: files) ?? []).isEmpty
            }
            #expect(device.recorder.faults == [])
        }

        @Test(
            "documents come out of the system's files in the types of the field, and a canceled choice changes nothing"
        )
        func documents() async throws {
            let device = try await device()
            try device.press("Report")
            try await device.wait("the files are shown") { device.has("DocumentChoiceView") }
            let picker = try #require(DocumentPicker(device.root))
            #expect(picker.types == ["com.adobe.pdf", "public.comma-separated-values-text"])
            #expect(picker.copies && !picker.takesSeveral)
            picker.cancel()
            try await device.wait("the files are closed") { !device.has("DocumentChoiceView") }

            try device.press("Report")
            try await device.wait("the files are shown") { device.has("DocumentChoiceView") }
            let file = device.folder.url.appending(path: "report.pdf")
            try Data("%PDF".utf8).write(to: file)
            try #require(DocumentPicker(device.root)).choose(file)
            try await device.wait("the document is in the form") { device.texts.contains("report.pdf") }
        }

        @Test("a form with a document waits for the network with it, has it no longer itself, and arrives whole")
        func waitingForm() async throws {
            var form = Self.form
            form.isQueued = true
            let device = try await device(form)
            try device.press("Report")
            try await device.wait("the files are shown") { device.has("DocumentChoiceView") }
            let file = device.folder.url.appending(path: "report.pdf")
            try Data("%PDF of the tower".utf8).write(to: file)
            try #require(DocumentPicker(device.root)).choose(file)
            try await device.wait("the document is in the form") { device.texts.contains("report.pdf") }
            try device.enter("The tower", into: "Note")
            device.server.on("POST /api/v1/work", failing: .unreachable("no network"))
            try device.press("Hand in")
            try await device.wait("the form waits") { device.texts.contains("1 change waits") }
            try await device.wait("the document is in the queue alone") { !device.texts.contains("report.pdf") }
            let files = device.folder.url.appending(path: "app/files").path
            #expect((FileManager.default.subpaths(atPath: files) ?? []).isEmpty)

            let sent = Mutex(Data())
            device.server.on("POST /api/v1/work") { request in
                let file = try #require(request.bodyFile)
                sent.withLock { $0 = FileManager.default.contents(atPath: file.path) ?? Data() }
                return Data("{}".utf8)
            }
            let store = try #require(device.session.signedIn?.store)
            store.retry()
            try await device.wait("the form was sent") { store.syncSummary.unsent == 0 }
            let body = String(decoding: sent.withLock { $0 }, as: UTF8.self)
            #expect(body.contains("filename=\"report.pdf\"") && body.contains("%PDF of the tower"))
            #expect(body.contains("The tower") && body.contains("work-1"))
        }

        @Test("a field for any file asks where it is, and closing the question chooses none")
        func question() async throws {
            let device = try await device()
            try device.press("Anything")
            try await device.wait("the question is asked") { device.has("FileChoiceView") }
            try device.press("Files")
            #expect(device.has("DocumentChoiceView"))
            device.root.all("FileChoiceView").first?.environment.dismiss()
            try await device.wait("the files are closed") { !device.has("FileChoiceView") }
            try device.press("Anything")
            try await device.wait("the question is asked again") { device.has("FileChoiceView") }
            try device.press("Cancel")
            try await device.wait("the question is closed") { !device.has("FileChoiceView") }
        }

        @Test("a form in a sheet has its files chosen over the sheet, not below it")
        func sheets() async throws {
            let device = try await device()
            let screen = Screen(
                title: "Today",
                body: [.button(PTButton(title: "Add work", action: .present("add")))],
                sheets: [PTBottomSheet(id: "add", title: "Work", body: [.form(Self.form)])])
            device.server.on(page: "/today", screen, tabs: AppDevice.tabs)
            await device.session.signedIn?.store.pageStore.refresh()
            device.show()
            await device.appear()
            try device.press("Add work")
            try device.press("Report")
            try await device.wait("the files are shown") { device.has("DocumentChoiceView") }
            let sheet = try #require(device.root.all("SheetView").first)
            #expect(sheet.all("DocumentChoiceView").count == 1 && device.root.all("DocumentChoiceView").count == 1)
            sheet.all("DocumentChoiceView").first?.environment.dismiss()
            try await device.wait("the files are closed") { !device.has("DocumentChoiceView") }
            sheet.environment.dismiss()
            device.show()
            #expect(!device.has("SheetView"))
            #expect(device.recorder.faults == [])
        }

        @Test("pictures, videos and recordings are read with the session, once, and leave with the person")
        func content() async throws {
            let device = try AppDevice(isComposed: true)
            let screen = Screen(
                title: "Today",
                body: [
                    .image(PTImage(url: "/photos/7", width: 4, height: 3, alt: "A tower")),
                    .image(PTImage(url: "/photos/7", width: 4, height: 3, alt: "The same tower")),
                    .image(PTImage(url: "https://other.example/a.jpg", width: 4, height: 3, alt: "Elsewhere")),
                    .audio(PTAudio(url: "/recordings/7", label: "A song")),
                ])
            for path in ["/", "/today"] { device.server.on(page: path, screen, tabs: AppDevice.tabs) }
            device.server.on(page: "/messages", Screen(title: "Messages"), tabs: AppDevice.tabs)
            device.server.on("GET /photos/7") { _ in Data("400x300".utf8) }
            device.server.on("GET /recordings/7") { _ in Data("sound".utf8) }
            await device.start()
            try await device.wait("both pictures are shown") {
                device.root.all("Image").filter { $0.text == "400x300" }.count == 2
            }
            #expect(device.server.requests("/photos/7").count == 1)
            try await device.wait("the player is shown") { device.has("PlayerView") }
            let controller = try #require(
                device.root.all("PlayerView").first?.values.first?.value as? AVPlayerViewController)
            let file = try #require(controller.player?.recordedURL)
            #expect(try Data(contentsOf: file) == Data("sound".utf8))
            try await device.session.signOut()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }

        // MARK: - Pages with scripts

        private static func quest(_ body: [Component] = []) throws -> Screen {
            Screen(
                title: "Tower",
                body: [
                    .section(
                        PTSection(
                            title: "Play",
                            body: [
                                .island(
                                    try PTIsland(
                                        "quest", properties: ["level": 1], fallback: "Needs scripts", body: body))
                            ]))
                ])
        }

        /// An app at a page of a quest.
        private func quest(_ body: [Component] = []) async throws -> AppDevice {
            let device = try await device()
            device.server.on(page: "/quests/7?level=1", try Self.quest(body), tabs: AppDevice.tabs)
            device.session.signedIn?.navigator.open("/quests/7?level=1", isReplacing: false)
            device.show()
            await device.appear()
            return device
        }

        @Test(
            "a page that is nothing without its script is shown in a web view with the session, hidden from scripts"
        )
        func webView() async throws {
            let device = try await quest()
            let web = try #require(ShownWebView(device.root))
            #expect(web.loads == ["https://maple.example/quests/7?level=1"])
            #expect(web.cookies == ["pt_access=token-1 hidden"])
            #expect(web.scripts.count == 1 && !device.texts.contains("Needs scripts"))

            // The page itself, and videos in it.
            #expect(await web.allows("https://maple.example/quests/7?level=2"))
            #expect(await web.allows("https://video.example/7", isMainFrame: false))
            // Other pages are the app's, and other sites another app's.
            #expect(await !web.allows("https://maple.example/students/7"))
            let navigator = try #require(device.session.signedIn?.navigator)
            #expect(navigator.stack == [Place("/quests/7?level=1"), Place("/students/7")])
            #expect(await !web.allows("https://other.example/a", isMainFrame: nil))
            #expect(navigator.outside?.host() == "other.example")
            #expect(device.recorder.faults == [])
        }

        @Test(
            "the session of a web view is renewed, and a page that the server sends to the sign-in is loaded again")
        func renewed() async throws {
            let device = try await quest()
            let web = try #require(ShownWebView(device.root))
            device.server.token = "token-2"
            #expect(await !web.allows("https://maple.example/sign-in?next=%2Fquests%2F7"))
            try await device.wait("the page is loaded again") { web.loads.count == 2 }
            #expect(web.cookies == ["pt_access=token-2 hidden"])
            // The second time the session has ended.
            #expect(await !web.allows("https://maple.example/sign-in?next=%2Fquests%2F7"))
            device.show()
            #expect(ShownWebView(device.root) == nil && device.texts.contains("Try again"))
        }

        @Test("while a page is shown in a web view, its session is renewed with the app's")
        func held() async throws {
            let tick = Gate()
            let ticks = Mutex(0)
            let device = try AppDevice(
                isComposed: true,
                sleep: { seconds in
                    let count = ticks.withLock { count in
                        if seconds == 20 { count += 1 }
                        return count
                    }
                    guard seconds == 20, count == 1 else { return try await Task.sleep(for: .seconds(3600)) }
                    await tick.wait()
                })
            for path in ["/", "/today"] { device.server.on(page: path, try Self.quest(), tabs: AppDevice.tabs) }
            device.server.on(page: "/messages", Screen(title: "Messages"), tabs: AppDevice.tabs)
            await device.start()
            let web = try #require(ShownWebView(device.root))
            #expect(web.cookies == ["pt_access=token-1 hidden"])
            device.server.token = "token-2"
            await tick.open()
            try await device.wait("the cookie is the new token") { web.cookies == ["pt_access=token-2 hidden"] }
            #expect(web.loads.count == 1, "the page goes on")
        }

        @Test("signing out removes what web views stored, and the session in them")
        func webSignOut() async throws {
            let device = try await quest()
            let web = try #require(ShownWebView(device.root))
            try await device.session.signOut()
            #expect(web.removals == 1 && web.cookies == [])
        }

        @Test("a page in a web view needs a network: without one it says so, and can be tried again")
        func questOffline() async throws {
            let device = try await quest()
            try #require(ShownWebView(device.root)).fail(isCanceled: true)
            device.show()
            #expect(ShownWebView(device.root) != nil, "another load took its place")
            try #require(ShownWebView(device.root)).fail()
            device.show()
            #expect(device.texts.contains("This page needs a connection."))
            try device.press("Try again")
            try await device.wait("the page is there") { ShownWebView(device.root) != nil }
        }

        @Test("an island with components is drawn by the app, and its whole page is one tap away")
        func fullPage() async throws {
            let device = try await quest([.text(PTText("The first level"))])
            #expect(device.texts.contains("The first level") && ShownWebView(device.root) == nil)
            try device.press("Open the full page")
            await device.appear()
            let web = try #require(ShownWebView(device.root))
            #expect(web.loads == ["https://maple.example/quests/7?level=1"])
        }

        // MARK: - Widgets and the system's search

        private func widget(_ unread: Int) -> SharedWidgetData {
            SharedWidgetData(
                readAt: Date(timeIntervalSince1970: 1_795_507_200), timeZone: "UTC", due: [], dueCount: 0,
                nextLesson: nil, unread: unread)
        }

        @Test(
            "the widgets get what the server says after the start, after a command and in front, and nothing afterwards"
        )
        func widgets() async throws {
            let device = try await device()
            let file = WidgetContainer(folder: device.folder.url.appending(path: "app"))
            device.server.on("GET /api/v1/widget", widget(2))
            device.session.noteChange()
            try await device.wait("the widgets have the content") { try file.read()?.data.unread == 2 }
            #expect(try file.read()?.server.absoluteString == "https://maple.example")

            device.server.on("GET /api/v1/widget", widget(1))
            device.server.on("POST /api/v1/work", json: "{}")
            try device.press("Hand in")
            try await device.wait("the command renews them") { try file.read()?.data.unread == 1 }

            device.server.on("GET /api/v1/widget", failing: .unreachable("no network"))
            device.session.noteChange()
            #expect(try file.read()?.data.unread == 1, "without a network they stay")
            try await device.session.signOut()
            #expect(try file.read() == nil)
        }

        @Test("an answer that arrives after the sign-out shows nothing of the person")
        func lateWidget() async throws {
            let device = try await device()
            let latch = Gate()
            let content = try JSONEncoder.iso.encode(widget(2))
            device.server.on("GET /api/v1/widget") { _ in
                await latch.wait()
                return content
            }
            device.session.noteChange()
            async let ended: Void = device.session.signOut()
            try await device.wait("the session has ended") { !device.auth.isAuthenticated }
            await latch.open()
            try await ended
            #expect(try WidgetContainer(folder: device.folder.url.appending(path: "app")).read() == nil)
        }

        @Test(
            "the system's search has the courses, assignments and quizzes of the person, opens their pages, and forgets them",
            .requirement("WW-1.14.e"))
        func spotlight() async throws {
            let device = try await device()
            let ids = (0..<3).map { _ in UUID() }
            device.server.on(
                "GET /api/v1/courses",
                json: #"{"items":[{"id":"\#(ids[0])","name":"Geometry","subject":"Mathematics"}]}"#)
            let course = "/api/v1/courses/\(ids[0].uuidString.lowercased())"
            device.server.on(
                "GET \(course)/assignments", json: #"{"items":[{"id":"\#(ids[1])","title":"Triangles"}]}"#)
            device.server.on("GET \(course)/quizzes", json: #"{"items":[{"id":"\#(ids[2])","title":"Angles"}]}"#)
            device.session.noteChange()
            func entries() -> [String] { RecordedIndex.entries.withLock { $0.compactMap(\.identifier) } }
            let names = zip(["course", "assignment", "quiz"], ids).map { "\($0):\($1.uuidString.lowercased())" }
            try await device.wait("the entries are there") { entries() == names }

            let activity = try #require(
                device.root.all.flatMap(\.modifiers).first { $0.name == "onContinueUserActivity" })
            #expect(activity.value("type") == SpotlightIndex.activityType)
            activity.continueActivity(["kCSSearchableItemActivityIdentifier": names[1]])
            let place = names[1].addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            #expect(device.session.signedIn?.navigator.stack == [Place("/open?link=\(place)")])

            try await device.session.signOut()
            #expect(entries() == [])
        }

        // MARK: - Without a network

        /// An app at a page with a command that can wait, whose server cannot be reached from now on.
        private func offline(_ component: Component, posts path: String) async throws -> AppDevice {
            let device = try await device()
            device.server.on(page: "/today", Screen(title: "Today", body: [component]), tabs: AppDevice.tabs)
            await device.session.signedIn?.store.pageStore.refresh()
            device.show()
            await device.appear()
            for path in ["GET /", "GET /today", "GET /messages", "POST \(path)"] {
                device.server.on(path, failing: .unreachable("no network"))
            }
            return device
        }

        /// Starts the app again with the network, and returns what the server got.
        private func restarted(_ device: AppDevice, _ path: String) async throws -> [String] {
            device.session.signedIn?.store.stop()
            let next = try AppDevice(auth: device.auth, folder: device.folder, isComposed: true)
            for page in ["/", "/today"] { next.server.on(page: page, Screen(title: "Today"), tabs: AppDevice.tabs) }
            next.server.on(page: "/messages", Screen(title: "Messages"), tabs: AppDevice.tabs)
            next.server.on("POST \(path)", json: "{}")
            await next.start()
            try await next.wait("nothing waits any more") {
                !next.server.requests(path).isEmpty && next.session.signedIn?.store.syncSummary.unsent == 0
            }
            return next.server.requests(path).compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }
        }

        @Test("attendance is marked without a network, and arrives once with the time of the tap after a restart")
        func attendanceOffline() async throws {
            let path = "/api/v1/classrooms/7/attendance"
            let device = try await offline(
                .button(
                    PTButton(
                        title: "Noor is present",
                        action: .perform(
                            PTCommandCall(
                                path: path,
                                fields: ["studentId": "7", "status": "present", "recordedAt": "", "sentAt": ""],
                                key: "mark-7", isQueued: true)))), posts: path)
            try device.press("Noor is present")
            try await device.wait("the mark waits, and the page says so") {
                device.texts.contains("1 change waits")
                    && device.texts.contains("Saved on this device. It is sent when there is a connection.")
            }
            let sent = try await restarted(device, path)
            #expect(sent.count == 1)
            let mark = try #require(sent.first)
            #expect(mark.contains("status=present") && mark.contains("%5Fkey=mark%2D7"))
            #expect(mark.contains("recordedAt=20") && mark.contains("sentAt=20"))
        }

        @Test("a quick note is written without a network, its form is free for the next one, and it arrives once")
        func captureOffline() async throws {
            let path = "/api/v1/observations"
            let form = PTForm(
                id: "capture", action: path, fields: [PTField(name: "content", label: "Observation")],
                submit: SubmitButton(title: "Save"), key: "note-7", isQueued: true)
            let device = try await offline(.form(form), posts: path)
            try device.enter("Built the tower", into: "Observation")
            try device.press("Save")
            try await device.wait("the note waits") { device.texts.contains("1 change waits") }
            let sent = try await restarted(device, path)
            #expect(sent.count == 1 && sent.first?.contains("content=Built%20the%20tower") == true)
        }
    }
}

extension JSONEncoder {
    /// Encodes instants as the server does.
    fileprivate static var iso: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
