import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import InsightsInterface
import Synchronization
import TestKit
import Testing

@testable import Classroom

/// A transcriber that returns the test's text, or throws the test's problem.
private final class TestTranscriber: Transcriber {
    enum Way: Sendable { case off, text(String), fails(Problem) }
    private let way: Mutex<Way>
    private let heard = Mutex<[UploadedFile]>([])

    init(_ way: Way) { self.way = Mutex(way) }

    var files: [UploadedFile] { heard.withLock { $0 } }
    func set(_ next: Way) { way.withLock { $0 = next } }

    func isAvailable(in context: RequestContext) async throws -> Bool {
        if case .off = way.withLock({ $0 }) { return false }
        return true
    }

    func transcribe(_ audio: UploadedFile, in language: Language, _ context: RequestContext) async throws -> String
    {
        heard.withLock { $0.append(audio) }
        switch way.withLock({ $0 }) {
        case .off: throw unexpectedCall()
        case .text(let text): return text
        case .fails(let problem): throw problem
        }
    }
}

/// A consent log in memory.
private final class TestConsents: ConsentNoting {
    struct Line: Equatable {
        let giver: String
        let kind: String
        let person: UUID
        let by: UUID?
    }
    private let stored = Mutex<[Line]>([])
    var lines: [Line] { stored.withLock { $0 } }

    func note(_ giver: String, allowing kindId: String, about personId: UUID, in context: inout CommandContext)
        throws
    {
        let line = Line(giver: giver, kind: kindId, person: personId, by: context.caller.membership?.personId)
        stored.withLock { $0.append(line) }
    }
}

@Suite("Voice notes")
struct VoiceTests {
    private let transcriber = TestTranscriber(.off)
    private let consents = TestConsents()
    private let room: ClassroomFixture
    private let maple: Classroom
    private let ana: Student
    private let sound: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3] + Array("spoken".utf8)

    init() async throws {
        room = try await ClassroomFixture(transcriber: transcriber, consents: consents)
        maple = try await room.classroom("Maple", guides: [room.guide])
        ana = try await room.student("Ana", "Ruiz", in: maple)
    }

    private func record(
        _ bytes: [UInt8]? = nil, _ more: [String: InputValue] = [:], as caller: Caller? = nil
    ) async throws -> HeardVoice {
        let file = UploadedFile(name: "voice", contentType: "text/html", bytes: bytes ?? sound)
        let input: [String: InputValue] = ["studentId": .id(ana.id), "audio": .file(file), "seconds": 42]
        return try await room.school.execute(
            RecordVoice.self, .object(input.merging(more) { $1 }), as: caller ?? room.guide)
    }

    private func notes() async throws -> [VoiceNote] {
        try await room.school.database.read { try VoiceRepository.notes(of: ana.id, in: $0) }
    }

    private func files() async throws -> Int {
        try await room.environment.blobs.all(of: room.orgId).count
    }

    private func fetch(_ note: UUID, as caller: Caller) async throws -> DownloadedFile {
        try await VoiceDownload.route.file(
            ["studentId": ana.id.text, "noteId": note.text], room.school.context(of: caller))
    }

    @Test("a recording without a text is listed below Quick Capture, to be played, written down or deleted")
    func waits() async throws {
        let heard = try await record()
        let id = try #require(heard.id)
        #expect(heard.transcript == nil && transcriber.files.isEmpty)
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide)
        #expect(page.contains("Voice note · 0:42") && page.contains("(sound: Voice note · 0:42"))
        #expect(page.contains("[Transcribe] -> /students/\(ana.id.text)/voice/\(id.text)"))
        #expect(page.contains("menu [Record]"))
        let french = try await room.outline("/students/\(ana.id.text)", as: room.guide, language: .french)
        #expect(french.contains("[Transcrire]"))
        let shown = try await fetch(id, as: room.guide)
        #expect(shown.contentType == "audio/webm", "as our record has it, whatever the sender said")
        let writing = try await room.outline("/students/\(ana.id.text)/voice/\(id.text)", as: room.guide)
        #expect(writing.contains("# Transcribe") && writing.contains("<Note: lines*>"))
        let made = try await room.school.execute(
            WriteDownVoice.self,
            ["studentId": .id(ana.id), "noteId": .id(id), "content": "Carried the tray"], as: room.guide)
        #expect(made.content == "Carried the tray" && made.primaryStudentId == ana.id)
        #expect(try await notes().isEmpty)
        await #expect(throws: Problem.notFound) { try await fetch(id, as: room.guide) }
    }

    @Test(
        "the text of a recording is returned, and the recording is deleted", .requirement("BY-1.07.b", "PT-2.17.b"))
    func transcribed() async throws {
        transcriber.set(.text("  She carried the tray.\n"))
        let heard = try await record()
        #expect(heard == HeardVoice(id: nil, transcript: "She carried the tray."))
        #expect(transcriber.files.map(\.contentType) == ["audio/webm"])
        #expect(transcriber.files.first?.content == .bytes(sound))
        #expect(try await notes().isEmpty)
        #expect(try await files() == 0)
        #expect(consents.lines.isEmpty)
    }

    @Test(
        "a recording is stored with its text only with a consent, which is logged",
        .requirement("BY-1.07.b", "BY-1.07.c"))
    func stored() async throws {
        transcriber.set(.text("She sang."))
        let heard = try await record(nil, ["allowedBy": "Luz Ruiz, for the portfolio"])
        let id = try #require(heard.id)
        #expect(heard.transcript == "She sang.")
        #expect(try await notes().map(\.transcript) == ["She sang."])
        let texts = try await room.school.database.read { try freeTexts(of: ClassroomRecordStore.kinds, in: $0) }
        #expect(texts.contains("She sang."), "names are replaced in it")
        #expect(
            consents.lines == [
                .init(
                    giver: "Luz Ruiz, for the portfolio", kind: "classroom.voice", person: ana.id,
                    by: ClassroomFixture.id(room.guide))
            ])
        let page = try await room.outline("/students/\(ana.id.text)", as: room.guide)
        #expect(page.contains("Kept recording") && !page.contains("[Transcribe]"))
        _ = try await room.school.execute(
            DeleteVoice.self, ["studentId": .id(ana.id), "noteId": .id(id)], as: room.guide)
        #expect(try await notes().isEmpty)
    }

    @Test("a recording whose transcription fails or is empty is stored, so that nothing is lost")
    func fails() async throws {
        transcriber.set(.fails(Problem(503, "busy")))
        #expect(try await record().id != nil)
        transcriber.set(.text("   "))
        #expect(try await record().id != nil)
        #expect(try await notes().count == 2)
    }

    @Test("a guide who may not see the child sends no recording to the service")
    func walls() async throws {
        transcriber.set(.text("Secret"))
        await #expect(throws: Problem.notFound) { try await record(as: room.otherGuide) }
        #expect(transcriber.files.isEmpty)
        #expect(try await files() == 0)
        transcriber.set(.off)
        let id = try #require(try await record().id)
        await #expect(throws: Problem.notFound) { try await fetch(id, as: room.otherGuide) }
        await #expect(throws: Problem.notFound) {
            try await room.school.execute(
                DeleteVoice.self, ["studentId": .id(ana.id), "noteId": .id(id)], as: room.otherGuide)
        }
        _ = try await room.school.execute(
            AssignGuides.self, ["classroomId": .id(maple.id), "guideIds": .ids([])], as: room.admin)
        await #expect(throws: Problem.notFound) { try await fetch(id, as: room.guide) }
    }

    @Test("a file that is not a recording is refused with a sentence", arguments: ["<html>", "", "MZ"])
    func hostile(_ text: String) async throws {
        let refused = try await problem { _ = try await record(Array(text.utf8)) }
        #expect(refused?.faults.map(\.code) == ["voice.notSound"])
        let photo = try await problem { _ = try await record(TestPictures.photo) }
        #expect(photo?.faults.map(\.code) == ["voice.notSound"])
    }

    @Test("sending a recording twice with the same key makes one note")
    func once() async throws {
        let file = UploadedFile(name: "voice", contentType: "audio/webm", bytes: sound)
        let input: InputValue = ["studentId": .id(ana.id), "audio": .file(file), "seconds": 3]
        let first = try await room.school.execute(RecordVoice.self, input, as: room.guide, key: "a-key-of-a-phone")
        let again = try await room.school.execute(RecordVoice.self, input, as: room.guide, key: "a-key-of-a-phone")
        #expect(first == again)
        #expect(try await notes().count == 1)
    }
}
