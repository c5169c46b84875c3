import Domain
import FeatureKit
import Foundation

/// A gradebook as separated values: a row for each student, a column for each item. What was written is read again;
/// columns are known by their heads and rows by the student's id.
struct GradebookCSV: Sendable {
    /// An item with its head; two of the same title are told apart by a number.
    struct Column: Sendable {
        let item: GradebookItem
        let head: String
    }

    /// One mark that a file sets.
    struct Entry: Sendable, Hashable {
        let studentId: UUID
        let itemId: UUID
        let mark: MarkText
    }

    /// More than any gradebook needs.
    static let limits = CSVReader.Limits(fileBytes: 2 * 1024 * 1024, fieldBytes: 1024, rows: 5000, columns: 500)
    /// Faults that are told at once.
    static let faultLimit = 50

    private static let (idHead, nameHead, totalHead, letterHead) = ("Student id", "Student", "Total", "Letter")

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

    /// With the mark that tells a spreadsheet that it is UTF-8.
    func text(_ gradebook: Gradebook, _ students: [(id: UUID, name: String)]) -> String {
        let head = [Self.idHead, Self.nameHead] + columns.map(\.head) + [Self.totalHead, Self.letterHead]
        var text = "\u{FEFF}" + head.map { CSVField.written($0) }.joined(separator: ",") + "\r\n"
        for student in students {
            let total = gradebook.courseGrade(of: student.id)
            var fields = [student.id.text, CSVField.written(student.name)]
            fields += columns.map { CSVField.written(gradebook.grade(of: student.id, for: $0.item.id)?.text ?? "") }
            fields += [total.map { "\($0.shown)" } ?? "", CSVField.written(total?.letter.rawValue ?? "")]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return text
    }

    // MARK: - Reading

    /// The marks of a file. An empty field leaves a mark as it is; totals and letters are not read.
    /// - Throws: a problem with every fault by its line, up to `faultLimit`.
    func entries(of file: [UInt8], students: Set<UUID>) throws -> [Entry] {
        var faults: [Fault] = []
        let separators = [CSVReader.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let table = CSVReader.read(file, separators: separators, limits: Self.limits) { fault in
            faults.append(Fault("file[\(fault.line)]", "grading.csv.unreadable", [.number(fault.line)]))
        }
        let places = try places(in: table.header, &faults)
        var entries: [Entry] = []
        for row in table.rows {
            let field = "file[\(row.line)]"
            guard let id = places.id.flatMap({ UUID(text: row.fields[$0]) }), students.contains(id) else {
                faults.append(Fault(field, "grading.csv.nobody", [.number(row.line)]))
                continue
            }
            for (place, column) in places.items {
                do throws(MarkText.Fault) {
                    guard
                        let mark = try MarkText.read(
                            CSVField.value(row.fields[place]), maximum: column.item.maximum,
                            isExtraCredit: column.item.isExtraCredit)
                    else { continue }
                    entries.append(Entry(studentId: id, itemId: column.item.id, mark: mark))
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

    private func places(
        in header: [String], _ faults: inout [Fault]
    ) throws -> (id: Int?, items: [(Int, Column)]) {
        var (id, items): (Int?, [(Int, Column)]) = (nil, [])
        for (place, head) in header.enumerated() {
            let head = CSVField.value(head)
            if head == Self.idHead {
                id = place
            } else if let column = columns.first(where: { $0.head == head }) {
                if column.item.path == nil { items.append((place, column)) }
            } else if ![Self.nameHead, Self.totalHead, Self.letterHead, ""].contains(head) {
                faults.append(Fault("file[1]", "grading.csv.column", [.text(String(head.prefix(80)))]))
            }
        }
        if id == nil { faults.append(Fault("file[1]", "grading.csv.noId", [.text(Self.idHead)])) }
        return (id, items)
    }
}
