import AssessmentModel
import Domain
import FeatureKit
import Foundation

/// Reads the questions of an uploaded file, whose format is found from its content.
struct QuestionFileReader: Sendable {
    /// The largest file, and the largest XML file of a package, in bytes.
    static let largest = 8 << 20
    /// The limits of a package: 1,000 items with their pictures, which are not read.
    static let limits = UnpackingLimits(files: 5000, bytes: 48 << 20)

    let unpacker: any Unpacking
    let qti: QTI

    /// Returns the questions of a file. Throws `Problem` 422 if its format is unknown or it is damaged.
    func read(_ file: UploadedFile, newId: () -> UUID) throws -> ImportedQuestions {
        guard file.size <= Self.largest else { throw Problem.invalid("file", "assessment.fileTooLarge") }
        let bytes = try file.content.bytes()
        if bytes.starts(with: [0x50, 0x4B]) { return try package(bytes, newId: newId) }
        let text: [UInt8]
        do { text = try TextDecoding(bytes).bytes } catch {
            throw Problem.invalid("file", "assessment.unknownFile")
        }
        guard let first = text.first(where: { !Self.blanks.contains($0) }) else {
            throw Problem.invalid("file", "assessment.nothingRead")
        }
        guard first == UInt8(ascii: "<") else {
            return GIFT.read(String(decoding: text, as: UTF8.self), newId: newId)
        }
        if let read = MoodleXML.read(text, newId: newId) { return read }
        let read = qti.read([(file.name, text)], newId: newId)
        if let left = read.leftOut.first, read.questions.isEmpty, left.title == file.name {
            throw Problem.invalid(
                "file", left.reason == .unreadable ? "assessment.damagedFile" : "assessment.unknownFile")
        }
        return read
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    private func package(_ bytes: [UInt8], newId: () -> UUID) throws -> ImportedQuestions {
        let files: [UnpackedFile]
        do { files = try unpacker.unzip(bytes, limits: Self.limits) } catch {
            switch error {
            case .tooLarge, .tooManyFiles: throw Problem.invalid("file", "assessment.fileTooLarge")
            case .damaged, .encrypted, .inParts, .unknownMethod, .path:
                throw Problem.invalid("file", "assessment.damagedFile")
            }
        }
        let documents = files.filter { file in
            let name = file.name.lowercased()
            return name.hasSuffix(".xml") && !file.name.contains("__MACOSX/")
        }
        guard !documents.isEmpty else { throw Problem.invalid("file", "assessment.unknownFile") }
        var result = ImportedQuestions()
        var items: [(name: String, bytes: [UInt8])] = []
        for file in documents {
            if let moodle = MoodleXML.read(file.bytes, newId: newId) {
                result.questions += moodle.questions
                result.leftOut += moodle.leftOut
            } else {
                items.append((file.name, file.bytes))
            }
        }
        let read = qti.read(items, newId: newId)
        result.questions += read.questions
        result.leftOut += read.leftOut
        return result
    }
}
