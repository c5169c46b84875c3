import Domain
import FeatureKit
import Foundation

/// A gradebook as a CSV file: a row for each student, a column for each item.
///
/// An exported file can be imported again. Columns are recognized by their headers and rows by the student's id.
/// The last column repeats the exported scores, so that an import knows which ones were edited.
struct GradebookCSV: Sendable {
    /// An item with its header. Items of equal titles get numbers.
    struct Column: Sendable {
        let item: GradebookItem
        let head: String
    }

    /// A score in a file.
    struct Entry: Sendable, Hashable {
        let studentId: UUID
        let itemId: UUID
        let score: ScoreText
        /// The score at the time of the export; `nil` if the file does not say.
        let seen: String?
    }

    /// The limits of an imported file, more than any gradebook needs.
    static let limits = CSVReader.Limits(fileBytes: 2 * 1024 * 1024, fieldBytes: 1024, rows: 5000, columns: 500)
    /// The most faults that are reported at once.
    static let faultLimit = 50

    private static let (idHead, nameHead, totalHead, letterHead) = ("Student id", "Student", "Total", "Letter")
    private static let seenHead = "Exported marks (do not change)"

    let columns: [Column]

    init(_ items: [GradebookItem]) {
        var seen: [String: Int] = [:]
        columns = items.map { item in
            let count = (seen[item.title] ?? 0) + 1
            seen[item.title] = count
            return Column(item: item, head: count == 1 ? item.title : "\(item.title) (\(count))")
        }
    }

    // MARK: - Writing

    /// Writes the file. A byte order mark tells spreadsheets that it is UTF-8.
    func text(_ gradebook: Gradebook, _ students: [(id: UUID, name: String)]) -> String {
        let head =
            [Self.idHead, Self.nameHead] + columns.map(\.head) + [Self.totalHead, Self.letterHead, Self.seenHead]
        var text = "\u{FEFF}" + CSVField.line(head)
        for student in students {
            let total = gradebook.courseGrade(of: student.id)
            var fields = [student.id.text, student.name]
            fields += columns.map { gradebook.score(of: student.id, for: $0.item.id)?.text ?? "" }
            fields += [
                total.map { "\($0.shown)" } ?? "", total?.letter.rawValue ?? "", seen(gradebook, student.id),
            ]
            text += CSVField.line(fields)
        }
        return text
    }

    /// The exported scores of a student: "1f2e3d4c=18.5 9a8b7c6d=7l". The tokens are the ends of item ids.
    private func seen(_ gradebook: Gradebook, _ studentId: UUID) -> String {
        columns.compactMap { column in
            guard let text = gradebook.score(of: studentId, for: column.item.id)?.text, !text.isEmpty else {
                return nil
            }
            return "\(Self.token(column.item.id))=\(text.replacing(" ", with: ""))"
        }.joined(separator: " ")
    }

    /// The random end of an id, which distinguishes the items of a course.
    private static func token(_ id: UUID) -> String { String(id.text.suffix(8)) }

    /// Reads what `seen(_:_:)` wrote, by token; `nil` for anything else.
    private static func seen(_ text: String) -> [String: String]? {
        var scores: [String: String] = [:]
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, pair[0].count == 8 else { return nil }
            scores[String(pair[0])] = String(pair[1])
        }
        return scores
    }

    // MARK: - Reading

    /// Reads the scores of a file. An empty field leaves a score unchanged; totals and letters are ignored.
    ///
    /// - Throws: a problem with each fault and its line, up to ``faultLimit``.
    func entries(of file: [UInt8], students: Set<UUID>) throws -> [Entry] {
        var faults: [Fault] = []
        let separators = [CSVReader.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let table = CSVReader.read(file, separators: separators, limits: Self.limits) { fault in
            guard case .fieldCount(let found, let expected) = fault.kind else {
                return faults.append(Fault("file[\(fault.line)]", "grading.csv.unreadable", [.number(fault.line)]))
            }
            faults.append(
                Fault(
                    "file[\(fault.line)]", "grading.csv.cells",
                    [.number(fault.line), .number(found), .number(expected)]))
        }
        let places = try places(in: table.header, &faults)
        var entries: [Entry] = []
        for row in table.rows {
            let field = "file[\(row.line)]"
            guard let id = places.id.flatMap({ UUID(text: row.fields[$0]) }), students.contains(id) else {
                faults.append(Fault(field, "grading.csv.nobody", [.number(row.line)]))
                continue
            }
            let seen = places.seen.map { Self.seen(CSVField.value(row.fields[$0])) }
            if case .some(.none) = seen {
                faults.append(Fault(field, "grading.csv.seen", [.number(row.line), .text(Self.seenHead)]))
                continue
            }
            for (place, column) in places.items {
                do throws(ScoreText.Fault) {
                    guard
                        let score = try ScoreText.read(
                            CSVField.value(row.fields[place]), maximum: column.item.maximum,
                            isExtraCredit: column.item.isExtraCredit)
                    else { continue }
                    var exported: String?
                    if case .some(.some(let scores)) = seen {
                        exported = try Self.exported(scores[Self.token(column.item.id)])
                    }
                    entries.append(
                        Entry(studentId: id, itemId: column.item.id, score: score, seen: exported))
                } catch {
                    faults.append(
                        Fault(
                            field, "grading.csv.mark",
                            [.number(row.line), .text(column.head), .text(String(row.fields[place].prefix(20)))]))
                }
            }
        }
        guard faults.isEmpty else { throw Problem.invalid(Array(faults.prefix(Self.faultLimit))) }
        return entries
    }

    /// An exported score in its stored form. The maximum is not checked, because it may have been lowered since.
    private static func exported(_ text: String?) throws(ScoreText.Fault) -> String {
        guard let text else { return "" }
        return try ScoreText.read(text, maximum: ScoreText.largestMaximum, isExtraCredit: true)?.text ?? ""
    }

    private func places(
        in header: [String], _ faults: inout [Fault]
    ) throws -> (id: Int?, seen: Int?, items: [(Int, Column)]) {
        var (id, seen, items): (Int?, Int?, [(Int, Column)]) = (nil, nil, [])
        for (place, head) in header.enumerated() {
            let head = CSVField.value(head)
            if head == Self.idHead {
                id = place
            } else if head == Self.seenHead {
                seen = place
            } else if let column = columns.first(where: { $0.head == head }) {
                if column.item.path == nil { items.append((place, column)) }
            } else if ![Self.nameHead, Self.totalHead, Self.letterHead, ""].contains(head) {
                faults.append(Fault("file[1]", "grading.csv.column", [.text(String(head.prefix(80)))]))
            }
        }
        if id == nil { faults.append(Fault("file[1]", "grading.csv.noId", [.text(Self.idHead)])) }
        return (id, seen, items)
    }
}
