import Domain
import FeatureKit
import FeatureRuntime
public import Foundation
import Persistence
import Web

/// Deletes all databases and files of a server's data folder, for development.
public func resetData(_ settings: ServerSettings) throws { try Persistence.reset(settings.dataFolder) }

/// Creates a sample school through the commands that people use, and returns lines to print, which name the accounts to
/// sign in with.
/// - Parameter now: the time after which no record of the school is.
public func fillDemoSchool(_ settings: ServerSettings, at now: Date = Date()) async throws -> [String] {
    let clock = DiaryClock(now)
    let composition = try await ServerComposition.build(settings, clock: clock)
    do {
        let lines = try await DemoSchool(composition: composition, clock: clock).fill()
        try await composition.close()
        return lines
    } catch {
        try await composition.close()
        throw error
    }
}

/// The sample school: three rooms, four guides, forty children, a residence, and their activity in the four weeks up to now.
///
/// The activity consists of attendance, progress, observations, lessons, courses with scores, conversations, and a
/// family with quests.
struct DemoSchool {
    let composition: ServerComposition
    let clock: DiaryClock

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

    /// The number of days between the founding of the school and today.
    private static let age = 62

    func fill() async throws -> [String] {
        let now = clock.now
        clock.set(now.addingTimeInterval(-86_400 * Double(Self.age)))
        let owner = try await signUp(Self.guides[0], "ana@demo.example")
        guard owner.membership == nil else { throw AlreadyThere() }
        try await run(
            "organization.create", ["name": .text("Maple School"), "avatarTint": .text("berry")], as: owner)
        let ana = try await caller(owner)
        var diary = DemoDiary(end: now, timeZone: ana.timeZone, schoolDays: 20)
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
        var (classroomIds, children): ([String], [[String]]) = ([], [])
        for (index, room) in Self.rooms.enumerated() {
            let made = try await run(
                "classrooms.create", ["name": .text(room.name), "avatarTint": .text(room.tint.rawValue)], as: ana)
            let classroomId = Self.text("id", of: made)
            classroomIds.append(classroomId)
            children.append([])
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
                children[index].append(Self.text("id", of: student))
            }
            names = names.dropFirst(size)
            let guide = index < guides.count ? guides[index] : ana
            attendance(of: children[index], in: classroomId, from: 30 + 2 * index, as: guide, &diary)
            progress(of: children[index], as: guide, &diary)
            try await records(of: children[index], by: [ana, guide], &diary)
        }
        conversations(of: ana, with: guides, inRoom: classroomIds[0], &diary)
        let student = try await courses(of: ana, with: guides, children[1], &diary)
        let family = try await family(of: ana, younger: children[0], older: children[1], &diary)
        let residence = try await residence(
            of: ana, cook: guides.count > 1 ? guides[1] : nil, sami: student, rosa: children[1][Self.rosa], &diary)
        try await wellness(of: student, heardBy: ana, &diary)
        try await diary.live(by: clock)
        return [
            "The sample school is ready. Everyone's password is: \(Self.password)",
            "  ana@demo.example      Ana Ruiz, founder (super admin)",
        ] + colleagues.map { "  \($0.email)   \($0.name)" }
            + (student == nil ? [] : ["  sami@demo.example     Sami Haddad, student"]) + family + residence
    }

    /// Adds the conversations of the staff with each other and with the class.
    private func conversations(
        of ana: Caller, with guides: [Caller], inRoom maple: String, _ diary: inout DemoDiary
    ) {
        guard has("Messaging"), guides.count == 3 else { return }
        typealias Line = (daysAgo: Int, hour: Int, minute: Int, caller: Caller, text: String)
        let days = Array(diary.lastSchoolDays(10).reversed())
        // The first line starts the conversation.
        func note(_ lines: [Line], in open: @escaping () async throws -> Data) {
            var conversationId: InputValue?
            for line in lines {
                diary.add(days[line.daysAgo - 1], line.hour, line.minute) {
                    let id =
                        if let conversationId { conversationId } else {
                            try await InputValue.text(Self.text("id", of: open()))
                        }
                    conversationId = id
                    try await run(
                        "messages.send", ["conversationId": id, "text": .text(line.text)], as: line.caller)
                }
            }
        }
        func start(_ others: [Caller], title: String? = nil) -> () async throws -> Data {
            let ids = others.compactMap { $0.membership?.personId.text }.map(InputValue.text)
            var input: [String: InputValue] = ["personIds": .list(ids)]
            if let title { input["title"] = .text(title) }
            let wanted = input
            return { try await run("messages.start", wanted, as: ana) }
        }
        let (benoit, claire, hiroto) = (guides[0], guides[1], guides[2])
        note(
            [
                (9, 15, 50, ana, "Welcome to the room's own channel. What concerns all of us goes in here."),
                (
                    6, 15, 40, benoit,
                    "The new shelf for the bead chains is up. Thank you for the help with the screws!"
                ),
                (3, 16, 5, ana, "The forest walk of the Maple room is on Friday. Boots and a small bag, please."),
                (2, 7, 55, benoit, "We meet at the gate at 8:30: https://maple.example/forest"),
            ], in: { try await run("messages.openChannel", ["classroomId": .text(maple)], as: ana) })
        note(
            [
                (8, 12, 20, ana, "Is the bead cabinet still at the carpenter's?"),
                (8, 12, 34, hiroto, "Yes, until the end of next week, he says."),
                (4, 16, 12, hiroto, "The bead cabinet came back from repair."),
                (4, 16, 20, ana, "Wonderful. I put it beside the window."),
            ], in: start([hiroto]))
        note(
            [
                (7, 14, 5, benoit, "Who takes the visitors on Tuesday? There are two families."),
                (7, 14, 9, claire, "I can, from 10 to 11."),
                (3, 13, 2, ana, "Shall we look at the cosmic lessons on Thursday?"),
                (3, 13, 15, claire, "Yes. I bring the timeline, it is two metres long by now."),
                (3, 13, 31, benoit, "I can take the snack duty meanwhile."),
            ], in: start([benoit, claire], title: "Team meeting"))
        note(
            [
                (
                    5, 11, 48, claire,
                    "Wanjiru asked for the decimal board today. I would like to show her on Monday."
                ),
                (5, 12, 10, ana, "Please do, she has waited for it."),
                (1, 10, 42, claire, "Good morning! Chloé read two little books with Amara before snack."),
                (1, 10, 45, ana, "That is lovely 🙂 Did you write it down for her parents?"),
                (1, 10, 47, claire, "I did, with a photo."),
                (1, 13, 20, claire, "Can you take the 3 pm duty?"),
            ], in: start([claire]))
    }

    /// Adds attendance: each school day the guide marks the absent children and then the rest. Today a few children
    /// are not marked.
    /// - Parameter minute: the minutes after eight in the morning.
    private func attendance(
        of children: [String], in classroomId: String, from minute: Int, as guide: Caller,
        _ diary: inout DemoDiary
    ) {
        let today = diary.today
        for (index, day) in diary.schoolDays.enumerated() {
            diary.add(day, 8, minute) {
                for (position, child) in children.enumerated() {
                    let isAbsent = (position * 7 + index * 3 + minute) % 19 == 0
                    guard day == today ? position % 7 != 6 : isAbsent else { continue }
                    try await run(
                        "attendance.mark",
                        [
                            "classroomId": .text(classroomId), "studentId": .text(child),
                            "status": .text(isAbsent ? "absent" : "present"), "day": .text(day.description),
                        ], as: guide)
                }
                guard day != today else { return }
                try await run(
                    "attendance.markRest",
                    ["classroomId": .text(classroomId), "day": .text(day.description)], as: guide)
            }
        }
    }

    /// Adds steps of the sensorial sequence, from presented to mastered. The older the child, the further the
    /// progress.
    private func progress(of children: [String], as guide: Caller, _ diary: inout DemoDiary) {
        guard has("Curriculum") else { return }
        let states = ["presented", "practising", "mastered"]
        let days = Array(diary.lastSchoolDays(20))
        for (position, child) in children.enumerated() {
            for (step, material) in Self.materials.prefix(1 + position % 4).enumerated() {
                // The first materials are mastered by now; the last ones are not.
                for (stage, state) in states.prefix(max(1, 3 - step)).enumerated() {
                    diary.add(days[position % 5 + step * 3 + stage * 4], 9, 10 + 3 * position) {
                        try await run(
                            "curriculum.record",
                            ["studentId": .text(child), "materialId": .text(material), "state": .text(state)],
                            as: guide)
                    }
                }
            }
        }
    }

    /// The ids of Cylinder block 1, Pink Tower, Brown Stair, Red Rods.
    private static let materials = [
        "0192b5a4-a34e-765b-b2d0-e7d4849e0f9e", "0192b5a4-e0e1-7dc8-8cbd-4fc74f95cb57",
        "0192b5a4-d14c-7191-bb5d-6585c7cf1694", "0192b5a4-810d-78e2-b66a-21e09b643625",
    ]

    // MARK: - Calls like those of a client

    func signUp(_ name: String, _ email: String) async throws -> Caller {
        let tokens = try await run(
            "auth.signUp",
            [
                "name": .text(name), "email": .text(email), "password": .text(Self.password), "agrees": .bool(true),
                "bornOn": .text("1990-02-28"),
            ], as: .nobody)
        guard
            let account = try await composition.web.authenticator.account(
                accessToken: Self.text("accessToken", of: tokens))
        else { throw Problem.signInNeeded }
        let caller = try await caller(Caller(account: account, membership: nil))
        // The account is older than the release, whose announcement would otherwise precede its first page.
        if has("Shell") { try await run("onboarding.seeRelease", [:], as: caller) }
        return caller
    }

    func caller(_ old: Caller) async throws -> Caller {
        guard let account = old.account else { return old }
        return Caller(
            account: account, membership: try await composition.web.memberships.activeMembership(of: account))
    }

    @discardableResult
    func run(_ name: String, _ input: [String: InputValue], as caller: Caller) async throws -> Data {
        guard
            let command = composition.features.features.flatMap(\.endpoints.commands).first(where: {
                $0.contract.name == name
            })
        else {
            throw ServerSettings.Malformed(faults: [
                "The sample school needs the command \(name); switch its block on."
            ])
        }
        return try await composition.pipeline.execute(
            command, .object(input), isForm: false, key: nil, in: context(of: caller)
        ).body
    }

    /// Returns the items of a query's page.
    func list(_ name: String, as caller: Caller) async throws -> [InputValue] {
        guard
            let query = composition.features.features.flatMap(\.endpoints.queries).first(where: {
                $0.contract.name == name
            })
        else {
            return []
        }
        let body = try await composition.pipeline.answer(query, .object([:]), in: context(of: caller))
        guard case .object(let page) = try InputValue(json: body), case .list(let items)? = page["items"] else {
            return []
        }
        return items
    }

    private func context(of caller: Caller) async throws -> RequestContext {
        let words = composition.words[.english] ?? Words(.english, [])
        return try await composition.pipeline.context(of: caller, words: words, remoteAddress: "demo")
    }

    func has(_ block: String) -> Bool { composition.features.features.contains { $0.id == block } }

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
