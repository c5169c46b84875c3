import Domain
import FeatureKit
import Foundation
import RosterInterface

/// The uploaded files in the form that they were recognized as.
enum RosterSource: Sendable {
    /// A OneRoster bundle, as separate files or in a ZIP file.
    case bundle(RosterBundle)
    /// One plain list of people.
    case list(PeopleList)

    /// Reads all files and finds all faults that show without the school's data.
    static func read(
        _ files: [RosterFile], language: Language, unpacker: any Unpacking,
        choices: ColumnChoices = ColumnChoices(),
        limits: CSVReader.Limits = CSVReader.Limits()
    ) -> RosterSource {
        var findings = Findings()
        let files = open(files, unpacker, &findings)
        if findings.isClean, files.count == 1, let file = files.first, !isOfBundle(file) {
            return .list(PeopleList(file, language: language, findings: findings, choices: choices, limits: limits))
        }
        guard findings.isClean else {
            var nothing = RosterBundle()
            nothing.findings = findings
            return .bundle(nothing)
        }
        return .bundle(RosterBundle.parse(files, limits: limits))
    }

    var findings: Findings {
        switch self {
        case .bundle(let bundle): bundle.findings
        case .list(let list): list.findings
        }
    }

    func bundle(against holdings: RosterPlan.Holdings, of orgId: UUID) -> RosterBundle {
        switch self {
        case .bundle(let bundle): bundle
        case .list(let list): list.bundle(against: holdings, of: orgId)
        }
    }

    /// Returns the last part of a path, shortened: a browser may send a path as the file's name.
    static func lastPart(of name: String) -> String {
        String(name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "").shortened
    }

    /// Whether a single file belongs to a bundle: by its name and, if a list may have that name too, by its first
    /// column.
    private static func isOfBundle(_ file: RosterFile) -> Bool {
        let name = lastPart(of: file.name)
        if name.lowercased() == BundleParser.manifestName { return true }
        return RosterFileKind(fileName: name) != nil
            && String(decoding: file.bytes.prefix(20), as: UTF8.self).lowercased().contains("sourcedid")
    }

    // MARK: - ZIP files

    private static let mark: [UInt8] = [0x50, 0x4B, 0x03, 0x04]

    /// Replaces each ZIP file by the files in it.
    static func open(
        _ files: [RosterFile], _ unpacker: any Unpacking, _ findings: inout Findings
    ) -> [RosterFile] {
        var opened: [RosterFile] = []
        for file in files where isContent(file.name) {
            guard file.bytes.starts(with: mark) || file.name.lowercased().hasSuffix(".zip") else {
                opened.append(file)
                continue
            }
            let name = lastPart(of: file.name)
            do {
                let inside = try unpacker.unzip(file.bytes, limits: UnpackingLimits()).filter { isContent($0.name) }
                if inside.contains(where: { $0.name == "[Content_Types].xml" || $0.name == "mimetype" }) {
                    findings.faults.add(.spreadsheet, name)
                } else if inside.contains(where: {
                    $0.bytes.starts(with: mark) || $0.name.lowercased().hasSuffix(".zip")
                }) {
                    findings.faults.add(.zipNested, name)
                } else if inside.isEmpty {
                    findings.faults.add(.zipEmpty, name)
                } else {
                    opened += inside.map { RosterFile(name: $0.name, bytes: $0.bytes) }
                }
            } catch {
                findings.faults.add(error, name)
            }
        }
        return opened
    }

    /// Whether a file is content, not metadata of macOS or Windows.
    private static func isContent(_ path: String) -> Bool {
        let parts = path.split(whereSeparator: { $0 == "/" || $0 == "\\" })
        let name = (parts.last ?? "").lowercased()
        return !parts.contains("__MACOSX") && !name.hasPrefix(".") && name != "thumbs.db" && name != "desktop.ini"
    }
}

extension FindingList {
    fileprivate mutating func add(_ fault: UnpackingFault, _ file: String) {
        switch fault {
        case .damaged: add(.zipDamaged, file)
        case .encrypted: add(.zipEncrypted, file)
        case .inParts: add(.zipInParts, file)
        case .unknownMethod: add(.zipMethod, file)
        case .tooManyFiles(let limit): add(.zipTooManyFiles, file, 0, nil, [.number(limit)])
        case .tooLarge(let limit): add(.zipTooLarge, file, 0, nil, [.number(limit >> 20)])
        case .path(let name): add(.zipPath, file, 0, nil, [.shown(name)])
        }
    }
}
