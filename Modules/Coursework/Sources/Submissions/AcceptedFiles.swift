import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation

/// The files that an assignment takes.
struct AcceptedFiles: Sendable {
    private let assignment: Assignment

    init(of assignment: Assignment) { self.assignment = assignment }

    /// Whether the assignment takes files of all kinds.
    private var isOpen: Bool { assignment.kinds.contains(.files) && assignment.fileKinds.isEmpty }

    /// The media types and extensions for a file field, which then offers fitting files first; empty for all files.
    var mediaTypes: [String] {
        guard !isOpen else { return [] }
        var types =
            assignment.kinds.contains(.files) ? Self.kinds.filter { assignment.fileKinds.contains($0.0) } : []
        if assignment.kinds.contains(.scan) { types.append((.pdf, [".pdf"])) }
        if assignment.kinds.contains(.drawing) { types.append((.image, [".png"])) }
        var seen: Set<String> = []
        return types.flatMap(\.1).filter { seen.insert($0).inserted }
    }

    private static let kinds: [(Assignment.FileKind, [String])] = [
        (.pdf, [".pdf"]), (.text, [".txt", ".md", ".rtf", ".doc", ".docx", ".odt", ".pages"]),
        (.sheet, [".csv", ".xls", ".xlsx", ".ods", ".numbers"]), (.slides, [".ppt", ".pptx", ".odp", ".key"]),
        (.image, ["image/*"]), (.sound, ["audio/*"]), (.movie, ["video/*"]),
        (.archive, [".zip", ".gz", ".tar", ".7z"]),
    ]

    /// Throws a fault unless the assignment takes files with this name.
    func check(_ name: String, field: String, _ text: WorkWords) throws {
        guard assignment.takesFiles else { throw Problem.invalid(field, "coursework.noFiles") }
        guard takes(name) else {
            throw Problem.invalid(
                field, "coursework.kindNotTaken", [.text(name), .text(text.fileKinds(assignment))])
        }
    }

    /// Throws a fault unless the assignment takes a file, by its name and its content.
    func check(_ name: String, _ content: FileContent, field: String, _ text: WorkWords) throws {
        try check(name, field: field, text)
        guard try isOpen || FileSignature.fits(name, content) else {
            throw Problem.invalid(field, "coursework.fileKind", [.text(name)])
        }
    }

    private func takes(_ name: String) -> Bool {
        let kind = Assignment.FileKind(rawValue: PTFileKind(fileName: name).rawValue)
        return isOpen || (assignment.kinds.contains(.files) && kind.map(assignment.fileKinds.contains) ?? false)
            || (assignment.kinds.contains(.scan) && kind == .pdf)
            || (assignment.kinds.contains(.drawing) && name.lowercased().hasSuffix(".png"))
    }
}
