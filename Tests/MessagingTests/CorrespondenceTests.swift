import ClassroomInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import Messaging

@Suite("Messaging, who may write to whom")
struct CorrespondenceTests {
    static let maple = UUID()
    static let birch = UUID()
    static let noah = UUID()

    /// Somebody with one role, tied to the Maple room as the role is.
    static func person(_ role: Role, in room: UUID? = maple, children: Set<UUID> = []) -> Correspondent {
        let rooms = Set([room].compactMap { $0 })
        var ties = ClassroomTies()
        switch role {
        case .guide: ties.guided = rooms
        case .student: ties.learnsIn = rooms
        case .parent: (ties.children, ties.childrensClassrooms) = (children, rooms)
        case .superAdmin, .admin, .warden: break
        }
        return Correspondent(id: UUID(), roles: [role], ties: ties)
    }

    /// Every pair of roles in one classroom; where students are allowed, and where not.
    static let table: [(Role, Role, never: Bool, always: Bool)] = {
        let staff: Set<Role> = [.superAdmin, .admin, .guide, .warden]
        return Role.allCases.flatMap { one in
            Role.allCases.map { other -> (Role, Role, never: Bool, always: Bool) in
                let pair: Set<Role> = [one, other]
                let isStaff = pair.isSubset(of: staff)
                let isFamily = pair.contains(.parent) && !pair.isDisjoint(with: [.superAdmin, .admin, .guide])
                let isLesson = pair.contains(.student) && !pair.isDisjoint(with: [.superAdmin, .admin, .guide])
                return (one, other, isStaff || isFamily, isStaff || isFamily || isLesson)
            }
        }
    }()

    @Test(
        "each pair of roles, in one class: staff among themselves, families with guides and admins, students where allowed",
        arguments: table.indices)
    func pairs(_ index: Int) {
        let (one, other, strict, open) = Self.table[index]
        let (writer, reader) = (Self.person(one), Self.person(other))
        #expect(
            Correspondence.mayWrite(writer, to: reader, under: MessagingPolicy()) == strict, "\(one) to \(other)")
        #expect(
            Correspondence.mayWrite(writer, to: reader, under: MessagingPolicy(students: true)) == open,
            "\(one) to \(other)")
        #expect(
            Correspondence.mayWrite(reader, to: writer, under: MessagingPolicy(students: true)) == open,
            "it does not hold both ways")
    }

    @Test("a guide and the family of another class do not reach each other, an admin reaches both")
    func staysInTheClass() {
        let policy = MessagingPolicy(students: true)
        let parent = Self.person(.parent)
        let student = Self.person(.student)
        for stranger in [Self.person(.guide, in: Self.birch), Self.person(.guide, in: nil)] {
            #expect(!Correspondence.mayWrite(parent, to: stranger, under: policy))
            #expect(!Correspondence.mayWrite(stranger, to: student, under: policy))
        }
        #expect(Correspondence.mayWrite(Self.person(.admin, in: nil), to: parent, under: policy))
        #expect(Correspondence.mayWrite(student, to: Self.person(.superAdmin, in: nil), under: policy))
    }

    @Test("nobody writes to themselves, to somebody who left, or without a role")
    func needsTwoInTheSchool() {
        let guide = Self.person(.guide)
        let gone = Correspondent(id: UUID(), roles: [], ties: ClassroomTies(guided: [Self.maple]))
        #expect(!Correspondence.mayWrite(guide, to: guide, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(guide, to: gone, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(gone, to: guide, under: MessagingPolicy()))
        #expect(!Correspondence.mayRead(gone, channelOf: Self.maple, under: MessagingPolicy()))
    }

    @Test("several roles give what each of them gives")
    func addsUpRoles() {
        let both = Correspondent(
            id: UUID(), roles: [.guide, .parent],
            ties: ClassroomTies(guided: [Self.birch], childrensClassrooms: [Self.maple]))
        #expect(Correspondence.mayWrite(both, to: Self.person(.parent, in: Self.birch), under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(both, to: Self.person(.parent), under: MessagingPolicy()))
        #expect(Correspondence.mayWrite(both, to: Self.person(.guide), under: MessagingPolicy()))
    }

    @Test("parents meet in a group only over a child of both")
    func parentsMeet() {
        let mother = Self.person(.parent, children: [Self.noah])
        let father = Self.person(.parent, children: [Self.noah])
        let neighbour = Self.person(.parent, children: [UUID()])
        #expect(Correspondence.mayMeet(mother, father, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(mother, to: father, under: MessagingPolicy()))
        #expect(!Correspondence.mayMeet(mother, neighbour, under: MessagingPolicy()))
    }

    @Test(
        "a class channel is for staff, for families to read, or for families to write, as the school says",
        arguments: MessagingPolicy.Channels.allCases)
    func channels(_ channels: MessagingPolicy.Channels) {
        for students in [false, true] {
            let policy = MessagingPolicy(students: students, channels: channels)
            func rights(_ person: Correspondent) -> [Bool] {
                [
                    Correspondence.mayRead(person, channelOf: Self.maple, under: policy),
                    Correspondence.mayWrite(person, inChannelOf: Self.maple, under: policy),
                ]
            }
            let (reads, writes) = (channels != .staff, channels == .writing)
            #expect(rights(Self.person(.guide)) == [true, true])
            #expect(rights(Self.person(.admin, in: nil)) == [true, true])
            #expect(rights(Self.person(.parent)) == [reads, writes])
            #expect(rights(Self.person(.student)) == [reads && students, writes && students])
            for stranger in [
                Self.person(.guide, in: Self.birch), Self.person(.parent, in: Self.birch), Self.person(.warden),
            ] {
                #expect(rights(stranger) == [false, false])
            }
        }
    }
}

@Suite("Messaging, what is written")
struct MessageTextTests {
    @Test(
        "control characters and marks that turn the direction go, emoji and line breaks stay",
        arguments: [
            ("a\u{0}b\u{7}c\u{1B}[31m", "abc[31m"), ("one\r\ntwo\rthree\u{2028}four", "one\ntwo\nthree\nfour"),
            ("abc\u{202E}fdp.exe\u{202C}", "abcfdp.exe"), ("\u{2066}a\u{2069}\u{200F}b\u{061C}", "ab"),
            ("👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️", "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️"), ("  tab\tstays \n", "tab\tstays"), ("שלום עולם", "שלום עולם"),
        ])
    func cleans(_ typed: String, _ kept: String) {
        #expect(MessageText.cleaned(typed) == kept)
        #expect(MessageText.cleaned(kept) == kept)
    }

    @Test("nothing to see is nothing written", arguments: ["", " ", "\u{200B}", "\u{FE0F}\u{200D}", "\u{3164}"])
    func findsBlanks(_ text: String) {
        #expect(MessageText.isBlank(MessageText.cleaned(text)))
    }

    @Test("addresses become links, and nothing else does")
    func findsLinks() {
        func links(_ text: String) -> [String] {
            MessageText.runs(of: text).compactMap { if case .link(let address) = $0 { address } else { nil } }
        }
        #expect(
            links("see https://maple.example/a?b=c#d, and http://x.example.") == [
                "https://maple.example/a?b=c#d", "http://x.example",
            ])
        #expect(
            links("(https://maple.example/a) and https://en.example/a_(b)") == [
                "https://maple.example/a", "https://en.example/a_(b)",
            ])
        for harmless in [
            "javascript:alert(1)", "data:text/html,x", "xhttps://a.example", "https://",
            "http://user:secret@a.example",
            "https://a.exаmple", "<a href=\"https://\">",
        ] {
            #expect(links(harmless).isEmpty, "\(harmless)")
        }
    }

    @Test(
        "the runs of a text are the text",
        arguments: [
            "", "plain", "https://a.example", "a https://a.example b http://b.example.", "http", "http http://",
            "))https://a.example))",
        ])
    func losesNothing(_ text: String) {
        let joined = MessageText.runs(of: text).map { run in
            switch run {
            case .words(let text), .link(let text): text
            }
        }.joined()
        #expect(joined == text)
    }

    @Test("a text of nothing but beginnings of addresses is taken apart at once")
    func staysQuick() {
        let text = String(repeating: "http://@", count: 8000)
        #expect(MessageText.runs(of: text) == [.words(text)])
    }
}
