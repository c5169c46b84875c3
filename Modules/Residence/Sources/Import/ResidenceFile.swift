import Domain
import Foundation

/// A file of rooms and residents: a row for each bed that is taken, and one for each empty room.
struct ResidenceFile: Codable, Sendable, Hashable {
    /// A column, recognized by its English or French header, whatever its case, accents and punctuation.
    enum Column: String, CaseIterable, Sendable {
        case room, type, beds, details, number, family, given, email, firstDay
        /// What our own export wrote into the row (`ExportedValues`).
        case exported

        init?(header: String) {
            let name = NameFolding.fold(header).filter { $0.isLetter || $0.isNumber }
            guard let column = Self.allCases.first(where: { $0.names.contains(name) }) else { return nil }
            self = column
        }

        private var names: [String] {
            switch self {
            case .room: ["room", "roomnumber", "chambre", "numerodechambre"]
            case .type: ["type", "roomtype", "typedechambre"]
            case .beds: ["beds", "bedcount", "lits", "nombredelits"]
            case .details: ["details", "precisions"]
            case .number: ["studentid", "number", "studentnumber", "numerodeleve", "numero", "matricule"]
            case .family: ["lastname", "familyname", "nom", "nomdefamille"]
            case .given: ["firstname", "givenname", "prenom"]
            case .email: ["email", "emailaddress", "courriel", "adresseelectronique"]
            case .firstDay: ["firstday", "movedin", "premierjour"]
            case .exported: ["exported", "exporte"]
            }
        }
    }

    /// A row. Blank fields leave the school's values unchanged.
    struct Row: Codable, Sendable, Hashable {
        let line: Int
        var room: String?
        var type: String?
        var beds: Int?
        var details: String?
        /// The person's number, as text: `007` is not `7`.
        var number: String?
        var family: String?
        var given: String?
        var email: String?
        var firstDay: Day?
        /// The text of the column “Exported”, which can be read.
        var exported: String?

        /// Whether the row names a person.
        var hasPerson: Bool { number != nil || family != nil || given != nil || email != nil }

        /// The person as the file names them.
        var person: String {
            let name = [given, family].compactMap(\.self).joined(separator: " ")
            return name.isEmpty ? number ?? email ?? "" : name
        }
    }

    /// A fault, with its line; 0 for the file as a whole.
    struct Finding: Codable, Sendable, Hashable {
        let line: Int
        /// The end of the key of its sentence: `residence.import.fault.<code>`.
        let code: String
        var arguments: [String] = []
    }

    /// More than the largest residence needs.
    static let limits = CSVReader.Limits(fileBytes: 2 * 1024 * 1024, fieldBytes: 1024, rows: 5_000, columns: 40)
    private static let separators = [CSVReader.comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]

    private(set) var rows: [Row] = []
    private(set) var faults: [Finding] = []

    /// Reads a file and finds all faults that show without the school's data.
    init(_ bytes: [UInt8]) {
        var found: [Finding] = []
        let table = CSVReader.read(
            bytes, separators: Self.separators, limits: Self.limits, allowsSeparatorAtEnd: true
        ) {
            found.append(Self.finding($0))
        }
        faults = found
        guard !table.header.isEmpty else { return }
        var places: [Column: Int] = [:]
        for (place, header) in table.header.enumerated() {
            guard let column = Column(header: header) else {
                if !header.allSatisfy(\.isWhitespace) {
                    faults.append(Finding(line: 1, code: "column", arguments: [header]))
                }
                continue
            }
            if places.updateValue(place, forKey: column) != nil {
                faults.append(Finding(line: 1, code: "columnTwice", arguments: [header]))
            }
        }
        if places[.room] == nil { faults.append(Finding(line: 1, code: "noRoomColumn")) }
        rows = table.rows.compactMap { row(at: places, $0) }
        if rows.isEmpty, faults.isEmpty { faults.append(Finding(line: 0, code: "empty")) }
    }

    private mutating func row(at places: [Column: Int], _ read: CSVReader.Row) -> Row? {
        func field(_ column: Column, max: Int) -> String? {
            guard let place = places[column], place < read.fields.count else { return nil }
            let text = CSVField.value(read.fields[place]).trimmingCharacters(in: .whitespacesAndNewlines)
            if text.count > max {
                faults.append(
                    Finding(line: read.line, code: "tooLong", arguments: [String(text.prefix(20)), "\(max)"]))
            }
            return text.isEmpty ? nil : text
        }
        var row = Row(
            line: read.line, room: field(.room, max: 20), type: field(.type, max: 40),
            details: field(.details, max: 500), number: field(.number, max: 60), family: field(.family, max: 100),
            given: field(.given, max: 100), email: field(.email, max: 200))
        if let text = field(.beds, max: 20) {
            row.beds = Int(text).flatMap { RoomHandlers.beds.contains($0) ? $0 : nil }
            if row.beds == nil { faults.append(Finding(line: read.line, code: "beds", arguments: [text])) }
        }
        if let text = field(.firstDay, max: 20) {
            row.firstDay = Day(text)
            if row.firstDay == nil { faults.append(Finding(line: read.line, code: "day", arguments: [text])) }
        }
        if let text = field(.exported, max: 500) {
            row.exported = text
            if ExportedValues(text: text) == nil { faults.append(Finding(line: read.line, code: "exported")) }
        }
        guard row.room != nil || row.hasPerson else {
            if read.fields.contains(where: { !$0.allSatisfy(\.isWhitespace) }) {
                faults.append(Finding(line: read.line, code: "noRoom"))
            }
            return nil
        }
        return row
    }

    private static func finding(_ fault: CSVReader.Fault) -> Finding {
        switch fault.kind {
        case .tooLarge, .tooManyRows, .tooManyColumns: Finding(line: fault.line, code: "large")
        case .fieldCount(let found, let expected):
            Finding(line: fault.line, code: "fields", arguments: ["\(found)", "\(expected)"])
        case .empty: Finding(line: fault.line, code: "empty")
        case .utf16, .binary, .notUTF8, .control: Finding(line: fault.line, code: "encoding")
        case .strayQuote, .textAfterQuote, .openQuote, .bareCarriageReturn, .fieldTooLong:
            Finding(line: fault.line, code: "quotes")
        }
    }

    // MARK: - Writing

    /// Writes the rooms of a residence with their residents; importing the file again changes nothing.
    ///
    /// A byte order mark tells spreadsheets that it is UTF-8. The last column tells the import which values were edited
    /// in the file.
    static func text(
        of pgId: UUID, rooms: [(room: RoomValues, residents: [Row])], withoutRoom: [Row], words: Words
    ) -> String {
        let head = Column.allCases.map { words("residence.import.column.\($0.rawValue)") }
        var text = "\u{FEFF}" + CSVField.line(head)
        func write(_ row: Row) {
            let fields = [
                row.room, row.type, row.beds.map(String.init), row.details, row.number, row.family, row.given,
                row.email, row.firstDay?.description, row.exported,
            ]
            text += CSVField.line(fields.map { $0 ?? "" })
        }
        for (room, residents) in rooms {
            for resident in residents.isEmpty ? [Row(line: 0)] : residents {
                var row = resident
                (row.room, row.type, row.beds, row.details) = (room.number, room.type, room.beds, room.details)
                row.exported = exported(room, of: pgId).text
                write(row)
            }
        }
        for resident in withoutRoom {
            var row = resident
            row.exported = exported(nil, of: pgId).text
            write(row)
        }
        return text
    }

    /// What a row of a resident contains about a room.
    private static func exported(_ room: RoomValues?, of pgId: UUID) -> ExportedValues {
        let values = [
            Column.room: RoomRepository.key(room?.number ?? ""), .type: room?.type ?? "",
            .beds: room.map { "\($0.beds)" } ?? "", .details: room?.details ?? "",
        ]
        return ExportedValues(
            Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }), source: pgId.text)
    }
}
