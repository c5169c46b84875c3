import AuthenticationServices
import CoreNFC
import Domain
import Foundation
import ScreenUI
import SwiftUI
import Synchronization
import TestKit
import Testing
import VisionKit

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
            #expect(auth.appleName == "Ana Silva")

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
    }
}
