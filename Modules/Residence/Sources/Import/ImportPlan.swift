import Domain
import Foundation
import OrganizationInterface
import ResidenceModel

/// What a room is like, without its residents.
struct RoomValues: Codable, Sendable, Hashable {
    let number: String
    let type: String
    let beds: Int
    let details: String?

    init(number: String, type: String, beds: Int, details: String?) {
        self.number = number
        self.type = type
        self.beds = beds
        self.details = details
    }

    init(_ room: Room) {
        self.init(number: room.number, type: room.type, beds: room.bedCount, details: room.details)
    }
}

/// One change of an import.
struct ImportStep: Codable, Sendable, Hashable {
    enum Kind: String, Codable, Sendable, Hashable { case roomAdded, roomChanged, movedIn, assigned }

    let kind: Kind
    let line: Int
    /// The room that is added or changed, or into which the resident moves.
    var room: RoomValues?
    /// The room before the change, or from which the resident moves.
    var former: RoomValues?
    var studentId: UUID?
    /// The resident's name, for the sentence.
    var name: String?
    var firstDay: Day?
    /// Whether the resident has lived in a residence of the school before.
    var isKnown = false

    /// The change in words: "Room 104 is added: Triple, 3 beds".
    func sentence(_ words: Words) -> String {
        switch kind {
        case .roomAdded:
            words("residence.import.roomAdded", room?.number ?? "", room?.type ?? "", room?.beds ?? 0)
        case .roomChanged:
            words(
                "residence.import.roomChanged", room?.number ?? "", Self.text(former, words), Self.text(room, words)
            )
        case .movedIn:
            room.map { words("residence.import.movedIn", name ?? "", $0.number) }
                ?? words("residence.import.movedInWithoutRoom", name ?? "")
        case .assigned:
            former.map { words("residence.import.assigned", name ?? "", $0.number, room?.number ?? "") }
                ?? words("residence.import.placed", name ?? "", room?.number ?? "")
        }
    }

    /// "Twin, 2 beds, by the garden".
    private static func text(_ room: RoomValues?, _ words: Words) -> String {
        guard let room else { return "–" }
        return [room.type, words("residence.import.beds", room.beds), room.details].compactMap(\.self)
            .joined(separator: ", ")
    }
}

/// The difference between a file and a residence: the changes, or all faults at once.
struct ImportPlan: Sendable {
    /// What the plan compares the file with.
    struct School: Sendable {
        let residence: Residence
        let rooms: [Room]
        /// Everyone of the school.
        let people: [Person]
        /// The open stays of the school, by resident.
        let open: [UUID: ResidenceStay]
        /// Those who ever lived in a residence.
        let known: Set<UUID>
        /// The names of the school's residences.
        let names: [UUID: String]
        let today: Day
    }

    private(set) var steps: [ImportStep] = []
    private(set) var faults: [ResidenceFile.Finding]

    init(_ file: ResidenceFile, _ school: School) {
        faults = file.faults
        var rooms = school.rooms.reduce(into: [String: RoomValues]()) {
            $0[RoomRepository.key($1.number)] = RoomValues($1)
        }
        let numbers = Dictionary(school.rooms.map { ($0.id, RoomRepository.key($0.number)) }) { first, _ in first }
        let find = PersonFinder(school.people)
        let rows = file.rows.compactMap { merged($0, with: school, rooms, numbers, find) }
        planRooms(rows, known: rooms, into: &rooms)
        // Who lives in which room once the file is imported, with the line that says so; 0 for those not in the file.
        var lives: [UUID: (room: String?, line: Int)] = [:]
        for (id, stay) in school.open where stay.pgId == school.residence.id {
            lives[id] = (stay.roomId.flatMap { numbers[$0] }, 0)
        }
        var seen: [UUID: Int] = [:]
        for row in rows where row.hasPerson {
            let person: Person
            switch find(row) {
            case .success(let found): person = found
            case .failure(let refusal):
                fault(row, refusal.code, row.person)
                continue
            }
            if let line = seen.updateValue(row.line, forKey: person.id) {
                fault(row, "twice", person.name.display, "\(line)")
                continue
            }
            let room = row.room.map(RoomRepository.key)
            let stay = school.open[person.id]
            if let stay, stay.pgId != school.residence.id {
                fault(row, "elsewhere", person.name.display, school.names[stay.pgId] ?? "")
                continue
            }
            if stay == nil, let day = row.firstDay, abs(day.number - school.today.number) > 732 {
                fault(row, "day", day.description)
                continue
            }
            let former = stay?.roomId.flatMap { numbers[$0] }
            if stay != nil, room == nil || room == former { continue }
            lives[person.id] = (room, row.line)
            steps.append(
                ImportStep(
                    kind: stay == nil ? .movedIn : .assigned, line: row.line, room: room.flatMap { rooms[$0] },
                    former: former.flatMap { rooms[$0] }, studentId: person.id, name: person.name.display,
                    firstDay: stay == nil ? row.firstDay ?? school.today : nil,
                    isKnown: school.known.contains(person.id)))
        }
        checkBeds(rooms, lives, rows: rows)
        faults.sort { ($0.line, $0.code) < ($1.line, $1.code) }
    }

    private mutating func fault(_ row: ResidenceFile.Row, _ code: String, _ arguments: String...) {
        faults.append(.init(line: row.line, code: code, arguments: arguments))
    }

    /// The row without what its writer left as exported and someone has changed in the residence since: a person who
    /// moved, or a value of the room. What both have changed is a fault.
    ///
    /// Returns `nil` if nothing of the row is left.
    private mutating func merged(
        _ row: ResidenceFile.Row, with school: School, _ rooms: [String: RoomValues], _ numbers: [UUID: String],
        _ find: PersonFinder
    ) -> ResidenceFile.Row? {
        guard let exported = row.exported.flatMap(ExportedValues.init(text:)),
            exported.isFrom(school.residence.id.text)
        else { return row }
        var merged = row
        let key = RoomRepository.key(row.room ?? "")
        if row.hasPerson, case .success(let person) = find(row) {
            let stay = school.open[person.id]
            let present = stay?.pgId == school.residence.id ? stay?.roomId.flatMap { numbers[$0] } ?? "" : "–"
            switch exported.judge("room", file: key, school: present) {
            case .usesFile: break
            case .staysInSchool: (merged.number, merged.family, merged.given, merged.email) = (nil, nil, nil, nil)
            case .conflict:
                fault(row, "conflict.room", person.name.display, present.isEmpty ? "–" : present, row.room ?? "–")
            }
        }
        guard let room = rooms[key] else {
            // A room that was exported and is gone is not added again.
            let isGone = exported.judge("room", file: key, school: "–") == .staysInSchool
            return isGone && !merged.hasPerson ? nil : merged
        }
        func settle(_ column: ResidenceFile.Column, _ value: String?, _ present: String) -> Bool {
            guard let value else { return false }
            switch exported.judge(column.rawValue, file: value, school: present) {
            case .usesFile: return false
            case .staysInSchool: return true
            case .conflict:
                fault(row, "conflict.\(column.rawValue)", room.number, present.isEmpty ? "–" : present, value)
                return false
            }
        }
        if settle(.type, row.type, room.type) { merged.type = nil }
        if settle(.beds, row.beds.map(String.init), "\(room.beds)") { merged.beds = nil }
        if settle(.details, row.details, room.details ?? "") { merged.details = nil }
        return merged
    }

    /// Plans rooms: the first row of a room describes it, and the others do not contradict it.
    private mutating func planRooms(
        _ rows: [ResidenceFile.Row], known: [String: RoomValues], into rooms: inout [String: RoomValues]
    ) {
        var described: [String: (line: Int, room: RoomValues)] = [:]
        for row in rows {
            guard let number = row.room else { continue }
            let key = RoomRepository.key(number)
            if let first = described[key] {
                let same = (
                    row.type ?? first.room.type, row.beds ?? first.room.beds, row.details ?? first.room.details
                )
                if same != (first.room.type, first.room.beds, first.room.details) {
                    fault(row, "contradiction", number, "\(first.line)")
                }
                continue
            }
            let former = known[key]
            guard let type = row.type ?? former?.type, let beds = row.beds ?? former?.beds else {
                // A bed count that is not a number has its own fault.
                if !faults.contains(where: { $0.line == row.line && $0.code == "beds" }) {
                    fault(row, "newRoom", number)
                }
                continue
            }
            let room = RoomValues(
                number: former?.number ?? number, type: type, beds: beds, details: row.details ?? former?.details)
            described[key] = (row.line, room)
            rooms[key] = room
            guard room != former else { continue }
            steps.append(
                ImportStep(
                    kind: former == nil ? .roomAdded : .roomChanged, line: row.line, room: room, former: former))
        }
    }

    /// Finds the rooms that would have more residents than beds.
    private mutating func checkBeds(
        _ rooms: [String: RoomValues], _ lives: [UUID: (room: String?, line: Int)], rows: [ResidenceFile.Row]
    ) {
        let byRoom = Dictionary(grouping: lives.values.filter { $0.room != nil }) { $0.room ?? "" }
        for (key, residents) in byRoom {
            guard let room = rooms[key], residents.count > room.beds else { continue }
            // The fault stands at the line of the first resident for whom there is no bed, or of the room that shrinks.
            let lines = residents.map(\.line).sorted()
            let first = rows.first { $0.room.map(RoomRepository.key) == key }?.line ?? 0
            faults.append(
                .init(
                    line: max(lines[room.beds], first), code: "fewBeds",
                    arguments: [room.number, "\(room.beds)", "\(residents.count)"]))
        }
    }

    /// The changes as one text. An import is refused if it differs from that of the preview.
    var fingerprint: String {
        steps.map { step in
            "\(step.line)\(step.kind.rawValue.prefix(5))\(step.studentId.map { String($0.text.suffix(6)) } ?? "")"
                + "\(step.former?.number ?? "")"
        }.joined(separator: " ")
    }
}

/// Finds the person of a row: by number, else by address, else by a name that only one person has.
struct PersonFinder: Sendable {
    struct Refusal: Error { let code: String }

    private let byNumber: [String: [Person]]
    private let byEmail: [String: [Person]]
    private let byName: [String: [Person]]

    init(_ people: [Person]) {
        byNumber = Dictionary(grouping: people.filter { $0.number != nil }) { $0.number ?? "" }
        byEmail = Dictionary(grouping: people.filter { $0.email != nil }) { ($0.email ?? "").lowercased() }
        byName = Dictionary(grouping: people) { Self.key($0.name.given, $0.name.family) }
    }

    private static func key(_ given: String, _ family: String) -> String { NameFolding.fold("\(given) \(family)") }

    func callAsFunction(_ row: ResidenceFile.Row) -> Result<Person, Refusal> {
        let found: [Person] =
            if let number = row.number { byNumber[number] ?? [] } else if let email = row.email {
                byEmail[email.lowercased()] ?? []
            } else { byName[Self.key(row.given ?? "", row.family ?? "")] ?? [] }
        guard let person = found.first else { return .failure(Refusal(code: "unknown")) }
        return found.count == 1 ? .success(person) : .failure(Refusal(code: "ambiguous"))
    }
}
