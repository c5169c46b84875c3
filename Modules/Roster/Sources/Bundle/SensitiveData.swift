import Domain
import FeatureKit
import RosterInterface

/// Data that must not be imported: passwords, and flags about health or money. It is neither read nor stored.
enum SensitiveData {
    static func isSensitive(file name: String) -> Bool { files.contains(name.lowercased()) }

    static func isSensitive(column name: String) -> Bool {
        let folded = NameFolding.fold(name).filter { $0.isLetter || $0.isNumber }
        return columns.contains { folded.contains($0) } || exact.contains(folded)
    }

    private static let files: Set<String> = ["demographics.csv", "userprofiles.csv", "userflags.csv"]
    private static let columns = [
        "password", "motdepasse", "passwort", "freelunch", "reducedlunch", "specialeducation", "section504",
        "socialsecurity",
    ]
    private static let exact: Set<String> = ["iep", "ssn", "mdp", "nir", "disability", "handicap", "frl"]

    /// Returns the files without sensitive data. A sensitive file is emptied, and a sensitive value becomes a star.
    static func removed(from files: [RosterFile], _ unpacker: any Unpacking, limits: CSVReader.Limits)
        -> [RosterFile]
    {
        var findings = Findings()
        let opened = RosterSource.open(files, unpacker, &findings)
        guard findings.isClean else { return files }
        var isChanged = false
        let cleaned = opened.map { file -> RosterFile in
            if isSensitive(file: RosterSource.lastPart(of: file.name)) {
                isChanged = true
                return RosterFile(name: file.name, bytes: [])
            }
            guard let bytes = removed(from: file.bytes, limits: limits) else { return file }
            isChanged = true
            return RosterFile(name: file.name, bytes: bytes)
        }
        return isChanged ? cleaned : files
    }

    /// Returns the bytes without sensitive values, or `nil` if there are none. All other bytes stay, so that faults are
    /// found again.
    private static func removed(from bytes: [UInt8], limits: CSVReader.Limits) -> [UInt8]? {
        guard bytes.count <= limits.fileBytes, let text = text(bytes) else { return nil }
        let end = text.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.endIndex
        let headers = PeopleList.separators.map { separator in
            (
                separator,
                CSVReader.read(Array(text[..<end]), separators: [separator], limits: limits) { _ in }.header
            )
        }
        guard let (separator, header) = headers.max(by: { $0.1.count < $1.1.count }) else { return nil }
        let places = Set(header.indices.filter { isSensitive(column: header[$0]) })
        return places.isEmpty ? nil : Array(text[..<end]) + covered(text[end...], places, separator)
    }

    /// The bytes as text with one-byte separators, or `nil` if they cannot be decoded.
    private static func text(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
        do { return try TextDecoding(bytes).bytes } catch { return nil }
    }

    /// Replaces each value of these columns by a star (RFC 4180 rows).
    private static func covered(_ bytes: ArraySlice<UInt8>, _ places: Set<Int>, _ separator: UInt8) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count)
        var (column, previous) = (0, UInt8(0x0A))
        var (isStart, isQuoted, isOpen, isCovered) = (true, false, false, false)
        for byte in bytes {
            if isStart, byte == quote {
                (isQuoted, isOpen) = (true, true)
                written.append(byte)
            } else if isQuoted, byte == quote {
                // Two quotes within a quoted field are one literal quote.
                isOpen = isOpen ? false : previous == quote
                written.append(byte)
            } else if !isOpen, byte == separator || byte == 0x0A || byte == 0x0D {
                column = byte == separator ? column + 1 : 0
                (isQuoted, isCovered) = (false, false)
                written.append(byte)
                (isStart, previous) = (true, byte)
                continue
            } else if !places.contains(column) || byte == 0x0A || byte == 0x0D {
                written.append(byte)
            } else if !isCovered {
                isCovered = true
                written.append(UInt8(ascii: "*"))
            }
            (isStart, previous) = (false, byte)
        }
        return written
    }
}
