import ClassroomInterface
import Domain
import Foundation
import TestKit
import Testing

@testable import Messaging

@Suite("Who may write to whom")
struct CorrespondenceTests {
    static let maple = UUID()
    static let birch = UUID()
    static let noah = UUID()

    /// A person with one role and the role's relation to a classroom, by default Maple.
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

    /// Each pair of roles in one classroom, and whether they may write without and with students allowed.
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
        "in one class staff write to each other, families to guides and admins, and students if allowed",
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
            "the order matters")
    }

    @Test("a guide and a family of another class cannot write to each other, and an admin can write to both")
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

    @Test("writing to oneself, to a former member or without a role is not possible")
    func needsTwoInTheSchool() {
        let guide = Self.person(.guide)
        let gone = Correspondent(id: UUID(), roles: [], ties: ClassroomTies(guided: [Self.maple]))
        #expect(!Correspondence.mayWrite(guide, to: guide, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(guide, to: gone, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(gone, to: guide, under: MessagingPolicy()))
        #expect(!Correspondence.mayRead(gone, channelOf: Self.maple, under: MessagingPolicy()))
    }

    @Test("a person with several roles may do what each role allows")
    func addsUpRoles() {
        let both = Correspondent(
            id: UUID(), roles: [.guide, .parent],
            ties: ClassroomTies(guided: [Self.birch], childrensClassrooms: [Self.maple]))
        #expect(Correspondence.mayWrite(both, to: Self.person(.parent, in: Self.birch), under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(both, to: Self.person(.parent), under: MessagingPolicy()))
        #expect(Correspondence.mayWrite(both, to: Self.person(.guide), under: MessagingPolicy()))
    }

    @Test("parents can be in one group only if they have a child in common")
    func parentsMeet() {
        let mother = Self.person(.parent, children: [Self.noah])
        let father = Self.person(.parent, children: [Self.noah])
        let neighbor = Self.person(.parent, children: [UUID()])
        #expect(Correspondence.mayMeet(mother, father, under: MessagingPolicy()))
        #expect(!Correspondence.mayWrite(mother, to: father, under: MessagingPolicy()))
        #expect(!Correspondence.mayMeet(mother, neighbor, under: MessagingPolicy()))
    }

    @Test(
        "a class channel is for staff, for families to read, or for families to write, as the school chooses",
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

@Suite("The text of messages")
struct MessageTextTests {
    @Test(
        "cleaning removes control and direction characters and preserves emoji and line breaks",
        arguments: [
            ("a\u{0}b\u{7}c\u{1B}[31m", "abc[31m"), ("one\r\ntwo\rthree\u{2028}four", "one\ntwo\nthree\nfour"),
            ("abc\u{202E}fdp.exe\u{202C}", "abcfdp.exe"), ("\u{2066}a\u{2069}\u{200F}b\u{061C}", "ab"),
            ("👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️", "👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️"), ("  tab\tstays \n", "tab\tstays"), ("שלום עולם", "שלום עולם"),
        ])
    func cleans(_ typed: String, _ cleaned: String) {
        #expect(MessageText.cleaned(typed) == cleaned)
        #expect(MessageText.cleaned(cleaned) == cleaned)
    }

    @Test(
        "a text without visible characters is blank",
        arguments: ["", " ", "\u{200B}", "\u{FE0F}\u{200D}", "\u{3164}"])
    func findsBlanks(_ text: String) {
        #expect(MessageText.isBlank(MessageText.cleaned(text)))
    }

    @Test("only web addresses become links")
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
        "the parts of a text together are the whole text",
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

    @Test("a text of many address beginnings is split at once")
    func staysQuick() {
        let text = String(repeating: "http://@", count: 8000)
        #expect(MessageText.runs(of: text) == [.words(text)])
    }
}
