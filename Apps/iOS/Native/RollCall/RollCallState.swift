import Client
import Domain
import Foundation
import ResidenceModel

/// A command of the roll call that the page does not contain yet.
enum RollCallCommand: Equatable {
    case note(RollCallNote)
    case end(RollCallEnd)

    /// Reads a command of any page; `nil` if it is not about this roll call.
    init?(_ command: PageCommand, on page: RollCallPage) {
        do {
            switch command.path {
            case "\(page.api)/notes": self = .note(try command.arguments(RollCallNote.self))
            case "\(page.api)/close": self = .end(try command.arguments(RollCallEnd.self))
            default: return nil
            }
        } catch {
            // A form of the page in the place of JSON, as another version of the app sends it: sent, but not shown.
            return nil
        }
        guard day == page.day else { return nil }
    }

    private var day: Day {
        switch self {
        case .note(let note): note.day
        case .end(let end): end.day
        }
    }
}

/// The roll call as it is shown: the page with the commands over it that wait, or that ran after the page was read.
struct RollCallState: Equatable {
    /// What is noted about a resident.
    struct Mark: Hashable {
        var status: RollCall.Status?
        var reason: String?
        var saidBy: String?
        /// Whether the server has not confirmed the note.
        var isWaiting = false
    }

    /// A resident with their room and mark.
    struct Entry: Hashable, Identifiable {
        let resident: RollCallPage.Resident
        let room: RollCallPage.Room
        let mark: Mark
        var id: String { resident.id }
    }

    let page: RollCallPage
    /// The marks that differ from the page's, by the ids of the residents.
    private var marks: [String: Mark] = [:]
    /// The number of commands that the server has not confirmed.
    private(set) var waiting = 0
    /// Whether the closing was sent, or waits.
    private(set) var isClosing = false
    /// Whether the closing waits.
    private(set) var isClosingWaiting = false

    /// - Parameter commands: The commands in their order, each with whether it waits.
    init(_ page: RollCallPage, _ commands: [(command: RollCallCommand, isWaiting: Bool)]) {
        self.page = page
        let leaves = Set(page.rooms.flatMap(\.residents).filter { $0.leave != nil }.map(\.id))
        for (command, isWaiting) in commands {
            if isWaiting { waiting += 1 }
            switch command {
            case .note(let note):
                for id in note.residentIds {
                    // Notes that are taken back leave approved leave.
                    marks[id] = Mark(
                        status: note.status ?? (leaves.contains(id) ? .onLeave : nil), reason: note.reason,
                        saidBy: note.saidBy, isWaiting: isWaiting)
                }
            case .end:
                isClosing = true
                isClosingWaiting = isClosingWaiting || isWaiting
            }
        }
    }

    /// The mark of a resident: the last note counts.
    func mark(of resident: RollCallPage.Resident) -> Mark {
        marks[resident.id]
            ?? Mark(status: resident.status, reason: resident.reason, saidBy: resident.saidBy)
    }

    func missing(in room: RollCallPage.Room) -> [RollCallPage.Resident] {
        room.residents.filter { mark(of: $0).status == nil }
    }

    /// Everyone who is not accounted for, in the order of rooms and names.
    var missing: [Entry] { entries.filter { $0.mark.status == nil } }

    /// All residents, in the order of rooms and names.
    var entries: [Entry] { page.rooms.flatMap(entries(in:)) }

    func entries(in room: RollCallPage.Room) -> [Entry] {
        room.residents.map { Entry(resident: $0, room: room, mark: mark(of: $0)) }
    }

    /// The room with a number, or else the first in which a resident is missing.
    func room(_ number: String?) -> RollCallPage.Room? {
        page.rooms.first { $0.number == number } ?? page.rooms.first { !missing(in: $0).isEmpty }
            ?? page.rooms.first
    }

    /// The room before another; `nil` before the first.
    func room(before room: RollCallPage.Room) -> RollCallPage.Room? {
        guard let place = page.rooms.firstIndex(of: room), place > 0 else { return nil }
        return page.rooms[place - 1]
    }

    /// The next room in which a resident is missing, or else the next one; `nil` after the last.
    func room(after room: RollCallPage.Room) -> RollCallPage.Room? {
        guard let place = page.rooms.firstIndex(of: room) else { return nil }
        let rest = page.rooms[(place + 1)...]
        return rest.first { !missing(in: $0).isEmpty } ?? rest.first
    }
}
