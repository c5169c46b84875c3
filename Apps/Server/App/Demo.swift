import Domain
import FeatureKit
import Foundation
import Persistence
import Web

/// Empties the data folder.
public func resetData(_ settings: ServerSettings) throws { try Persistence.reset(settings.dataFolder) }

/// Makes a sample school through the same commands that people use, and tells how to sign in to it.
public func fillDemoSchool(_ settings: ServerSettings) async throws -> [String] {
    let house = try await ServerHouse.build(settings)
    do {
        let lines = try await DemoSchool(house: house).fill()
        try await house.close()
        return lines
    } catch {
        try await house.close()
        throw error
    }
}

/// The sample school: three rooms, four guides, forty children, this week's attendance, some progress, what was seen
/// of one room's children, courses, conversations, and a family with quests.
struct DemoSchool {
    let house: ServerHouse

    struct AlreadyThere: Error, CustomStringConvertible {
        let description = "The data folder holds the sample school already. `pinktower reset --yes` empties it."
    }

    static let password = "rose cubes on a shelf"
    static let rooms: [(name: String, tint: Tint, level: String)] = [
        ("Maple room", .leaf, "Primary"), ("Birch room", .sky, "Elementary"),
        ("Toddler community", .clay, "Toddler"),
    ]
    static let guides = ["Ana Ruiz", "Benoît Côté", "Claire O’Neill", "大翔 Sato"]
    static let children = [
        "Amara Mensah", "Benoît Lavoie", "Chloé Tremblay", "Dario Conti", "Elif Yılmaz", "Farah Haddad",
        "Gabriel Roy",
        "Hana Sato", "Ines Pereira", "Jonah Weiss", "Kaito Mori", "Leïla Benali", "Mateo Rojas", "Noor Aziz",
        "Olivia Gagnon", "Pavel Novák", "Quinn Murphy", "Rosa Ortiz", "Søren Ångström", "Thandiwe Dlamini",
        "Uma Patel", "Viktor Łukasik", "Wanjiru Kamau", "Xiùlán Wáng", "Yara Haddad", "Zoé Bélanger",
        "Ada Lovelace",
        "Bao Nguyễn", "Cyrus Rahimi", "Dalia Cohen", "Émile Roy", "Fatou Diop", "Giulia Rossi", "Hugo Martin",
        "Isla Campbell", "Jules Tremblay", "Kofi Boateng", "Lin Chen", "Maya Singh", "Nils Berg",
    ]

    func fill() async throws -> [String] {
        let owner = try await signUp(Self.guides[0], "ana@demo.example")
        guard owner.membership == nil else { throw AlreadyThere() }
        try await run(
            "organization.create", ["name": .text("Maple School"), "avatarTint": .text("berry")], as: owner)
        let ana = try await caller(owner)
        var colleagues: [(name: String, email: String, personId: UUID)] = []
        var guides: [Caller] = []
        for (index, name) in Self.guides.enumerated().dropFirst() {
            let email = "guide\(index)@demo.example"
            let invite = try await run(
                "invites.create", ["role": .text(index == 1 ? "admin" : "guide")], as: ana)
            let account = try await signUp(name, email)
            try await run("invites.redeem", ["code": .text(Self.text("code", of: invite))], as: account)
            let member = try await caller(account)
            if let personId = member.membership?.personId { colleagues.append((name, email, personId)) }
            guides.append(member)
        }
        var names = Self.children[...]
        var maple = ""
        var (younger, older): ([String], [String]) = ([], [])
        for (index, room) in Self.rooms.enumerated() {
            let made = try await run(
                "classrooms.create", ["name": .text(room.name), "avatarTint": .text(room.tint.rawValue)], as: ana)
            let classroomId = Self.text("id", of: made)
            if index == 0 { maple = classroomId }
            let mine =
                [ana.membership?.personId].compactMap { $0 }
                + (index < colleagues.count ? [colleagues[index].personId] : [])
            try await run(
                "classrooms.assignGuides",
                ["classroomId": .text(classroomId), "guideIds": .list(mine.map { .text($0.text) })], as: ana)
            let size = index == 0 ? 14 : 13
            for (position, name) in names.prefix(size).enumerated() {
                let person = PersonName(fullName: name)
                let student = try await run(
                    "students.create",
                    [
                        "firstName": .text(person.given), "lastName": .text(person.family),
                        "number": .text("26-\(100 * (index + 1) + position)"), "gradeLevel": .text(room.level),
                        "classroomId": .text(classroomId),
                    ], as: ana)
                if index == 0 { younger.append(Self.text("id", of: student)) }
                if index == 1 { older.append(Self.text("id", of: student)) }
                try await attendance(of: Self.text("id", of: student), in: classroomId, position, as: ana)
                try await progress(of: Self.text("id", of: student), position, as: ana)
            }
            names = names.dropFirst(size)
        }
        try await records(of: younger, as: ana)
        try await conversations(of: ana, with: guides, inRoom: maple)
        let student = try await courses(of: ana, with: guides, older)
        let family = try await family(of: ana, younger: younger, older: older)
        return [
            "The sample school is ready. Everyone's password is: \(Self.password)",
            "  ana@demo.example      Ana Ruiz, founder (super admin)",
        ] + colleagues.map { "  \($0.email)   \($0.name)" } + student + family
    }

    /// What the staff of the sample school write to each other, and to the class.
    private func conversations(of ana: Caller, with guides: [Caller], inRoom maple: String) async throws {
        guard has("Messaging"), guides.count == 3 else { return }
        func say(_ lines: [(Caller, String)], in made: Data) async throws {
            for (caller, text) in lines {
                try await run(
                    "messages.send",
                    ["conversationId": .text(Self.text("id", of: made)), "text": .text(text)], as: caller)
            }
        }
        func start(_ others: [Caller], title: String? = nil) async throws -> Data {
            let ids = others.compactMap { $0.membership?.personId.text }.map(InputValue.text)
            var input: [String: InputValue] = ["personIds": .list(ids)]
            if let title { input["title"] = .text(title) }
            return try await run("messages.start", input, as: ana)
        }
        let (benoit, claire, hiroto) = (guides[0], guides[1], guides[2])
        try await say(
            [
                (ana, "The forest walk of the Maple room is on Friday. Boots and a small bag, please."),
                (benoit, "We meet at the gate at 8:30: https://maple.example/forest"),
            ], in: run("messages.openChannel", ["classroomId": .text(maple)], as: ana))
        try await say(
            [
                (hiroto, "The bead cabinet came back from repair."),
                (ana, "Wonderful. I put it beside the window."),
            ], in: start([hiroto]))
        try await say(
            [
                (ana, "Shall we look at the cosmic lessons on Thursday?"),
                (claire, "Yes. I bring the timeline, it is two metres long by now."),
                (benoit, "I can take the snack duty meanwhile."),
            ], in: start([benoit, claire], title: "Team meeting"))
        try await say(
            [
                (claire, "Good morning! Chloé read two little books with Amara before snack."),
                (ana, "That is lovely 🙂 Did you write it down for her parents?"),
                (claire, "I did, with a photo."), (claire, "Can you take the 3 pm duty?"),
            ], in: start([claire]))
    }

    /// The days of this week so far; today a few children are still to be marked.
    private func attendance(of studentId: String, in classroomId: String, _ position: Int, as caller: Caller)
        async throws
    {
        let today = Day(house.clock.now, in: caller.membership?.timeZone ?? .gmt)
        for back in 0..<5 {
            guard back > 0 || position % 7 != 6 else { continue }
            let isAbsent = (position * 7 + back * 3) % 11 == 0
            try await run(
                "attendance.mark",
                [
                    "classroomId": .text(classroomId), "studentId": .text(studentId),
                    "status": .text(isAbsent ? "absent" : "present"),
                    "day": .text(today.adding(days: -back).description),
                ], as: caller)
        }
    }

    /// Some steps of the sensorial sequence; the oldest are further.
    private func progress(of studentId: String, _ position: Int, as caller: Caller) async throws {
        guard has("Curriculum") else { return }
        let states = ["mastered", "mastered", "practising", "presented"]
        for (step, material) in Self.materials.prefix(1 + position % 4).enumerated() {
            try await run(
                "curriculum.record",
                [
                    "studentId": .text(studentId), "materialId": .text(material),
                    "state": .text(states[(step + 3 - position % 4) % states.count]),
                ], as: caller)
        }
    }

    /// Cylinder block 1, Pink Tower, Brown Stair, Red Rods.
    private static let materials = [
        "0192b5a4-a34e-765b-b2d0-e7d4849e0f9e", "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57",
        "0192b5a4-d14c-7191-bb5d-6585c7cf1694", "0192b5a4-810d-78e2-b66a-21e09b643625",
    ]

    // MARK: - As a client would

    func signUp(_ name: String, _ email: String) async throws -> Caller {
        let tokens = try await run(
            "auth.signUp",
            [
                "name": .text(name), "email": .text(email), "password": .text(Self.password), "agrees": .bool(true),
                "bornOn": .text("1990-02-28"),
            ], as: .nobody)
        guard
            let account = try await house.web.authenticator.account(
                accessToken: Self.text("accessToken", of: tokens))
        else { throw Problem.signInNeeded }
        return try await caller(Caller(account: account, membership: nil))
    }

    func caller(_ old: Caller) async throws -> Caller {
        guard let account = old.account else { return old }
        return Caller(account: account, membership: try await house.web.memberships.activeMembership(of: account))
    }

    @discardableResult
    func run(_ name: String, _ input: [String: InputValue], as caller: Caller) async throws -> Data {
        guard let command = house.features.features.flatMap(\.commands).first(where: { $0.contract.name == name })
        else {
            throw ServerSettings.Malformed(faults: [
                "The sample school needs the command \(name); switch its block on."
            ])
        }
        return try await house.pipeline.execute(
            command, .object(input), isForm: false, key: nil, in: context(of: caller)
        ).body
    }

    /// The members of a query's page.
    func list(_ name: String, as caller: Caller) async throws -> [InputValue] {
        guard let query = house.features.features.flatMap(\.queries).first(where: { $0.contract.name == name })
        else {
            return []
        }
        let body = try await house.pipeline.answer(query, .object([:]), in: context(of: caller))
        guard case .object(let page) = try InputValue(json: body), case .list(let items)? = page["items"] else {
            return []
        }
        return items
    }

    private func context(of caller: Caller) async throws -> RequestContext {
        let words = house.words[.english] ?? Words(.english, [])
        return try await house.pipeline.context(of: caller, words: words, remoteAddress: "demo")
    }

    func has(_ block: String) -> Bool { house.features.features.contains { $0.id == block } }

    static func text(_ key: String, of body: Data) -> String {
        guard case .object(let object)? = Result(catching: { try InputValue(json: body) }).success,
            case .text(let text)? = object[key]
        else { return "" }
        return text
    }
}

extension Result {
    fileprivate var success: Success? {
        if case .success(let value) = self { value } else { nil }
    }
}
