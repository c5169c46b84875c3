import Domain
import FeatureKit
import Foundation

/// A residence of the sample school with a warden: rooms, residents, passages of three weeks, leave and meals.
extension DemoSchool {
    private static let residents = [
        "Adaeze Nwosu", "Aisha Bello", "Clara Schmidt", "Diego Vargas", "Emeka Obi", "Eva Marković", "Freya Olsen",
        "Grace Mwangi", "Haruto Ito", "Imani Okafor", "Ji-woo Park", "Leo Fontaine", "Lucia Moretti",
        "Noah Fischer",
        "Oskar Nyberg", "Paolo Conti", "Peter Lindqvist", "Tala Reyes", "Thomas Brandt", "Yusuf Demir",
        "Zahra Karimi",
        "Élise Gagné",
    ]
    /// The rooms with their beds and how many of them are taken.
    private static let residenceRooms: [(number: String, type: String, beds: Int, taken: Int, details: String?)] = [
        ("101", "Twin", 2, 2, nil), ("102", "Twin", 2, 1, nil), ("103", "Triple", 3, 3, nil),
        ("104", "Triple", 3, 2, "Next to the music room"), ("105", "Single", 1, 1, nil),
        ("201", "Four beds", 4, 4, nil), ("202", "Four beds", 4, 3, nil), ("203", "Twin", 2, 0, "Being painted"),
        ("204", "Twin", 2, 2, nil), ("205", "Triple", 3, 3, "With a balcony"), ("206", "Single", 1, 0, nil),
        ("207", "Four beds", 4, 3, nil),
    ]
    /// Where residents are now, by their place in the list: those who are out, on leave, late from a leave, and not
    /// seen. All others are in.
    private static let (out, onLeave, late, notSeen) = ([1, 2, 6, 17], [3, 11], [7, 15], 16)
    private static let menu: [(breakfast: String, lunch: String, dinner: String)] = [
        ("Porridge, berries", "Chicken pie, peas", "Tomato soup, bread"),
        ("Eggs, toast", "Lentil dal, rice", "Pasta, mushrooms"),
        ("Yoghurt, granola", "Fish, potatoes", "Satay noodles"),
        ("Porridge, pears", "Bean chili, rice", "Pizza, salad"), ("Pancakes", "Couscous, carrots", "Burgers, slaw"),
        ("Croissants, fruit", "Quiche, salad", "Ramen, tofu"), ("Eggs, beans", "Roast, gravy", "Soup, cheese"),
    ]
    /// The dishes with meat or fish.
    private static let withMeat: Set<String> = [
        "Chicken pie, peas", "Fish, potatoes", "Satay noodles", "Burgers, slaw", "Roast, gravy",
    ]
    private static let diets: [(place: Int, diet: String, allergies: String?, pen: Bool)] = [
        (0, "halal", nil, false), (1, "halal", nil, false), (4, "standard", "Peanut", true),
        (5, "standard", "Hazelnut", false), (6, "vegetarian", "Peanut", true), (9, "standard", "Sesame", true),
        (10, "standard", "Milk", false), (12, "vegetarian", nil, false), (14, "standard", "Egg", false),
        (17, "vegan", nil, false), (18, "glutenFree", "Fish", false), (19, "halal", nil, false),
    ]

    /// Adds the residence.
    /// - Parameters:
    ///   - cook: the guide who plans its meals.
    ///   - sami: the student with an account.
    ///   - rosa: the child of a parent with an account.
    /// - Returns: the line about the warden's sign-in.
    func residence(
        of ana: Caller, cook: Caller?, sami: Caller?, rosa: String, _ diary: inout DemoDiary
    ) async throws -> [String] {
        guard has("Residence") else { return [] }
        let (name, email) = ("Noor Rahman", "noor@demo.example")
        let invite = try await run("invites.create", ["role": .text("warden")], as: ana)
        let account = try await signUp(name, email)
        try await run("invites.redeem", ["code": .text(Self.text("code", of: invite))], as: account)
        let noor = try await caller(account)
        let made = try await run(
            "residence.create",
            [
                "name": .text("Birch House"), "schoolNightCurfew": .text("21:30"), "weekendCurfew": .text("23:00"),
                "wardenIds": .list([noor.membership?.personId.text].compactMap(\.self).map(InputValue.text)),
                "kitchenIds": .list([cook?.membership?.personId.text].compactMap(\.self).map(InputValue.text)),
            ], as: ana)
        let residence = ["pgId": InputValue.text(Self.text("id", of: made))]
        var ids: [String] = []
        for (place, resident) in Self.residents.enumerated() {
            let person = PersonName(fullName: resident)
            let student = try await run(
                "students.create",
                [
                    "firstName": .text(person.given), "lastName": .text(person.family),
                    "number": .text("26-\(400 + place)"), "gradeLevel": .text("Adolescent"),
                ], as: ana)
            ids.append(Self.text("id", of: student))
        }
        let everyone = ids + [rosa] + [sami?.membership?.personId.text].compactMap(\.self)
        var waiting = everyone[...]
        for room in Self.residenceRooms {
            var fields: [String: InputValue] = [
                "number": .text(room.number), "type": .text(room.type), "bedCount": .number(Double(room.beds)),
            ]
            fields["details"] = room.details.map(InputValue.text)
            let added = try await run("residence.createRoom", residence.merging(fields) { $1 }, as: noor)
            for resident in waiting.prefix(room.taken) {
                try await run(
                    "residence.moveIn",
                    residence.merging([
                        "studentId": .text(resident), "roomId": .text(Self.text("id", of: added)),
                        "isOfAge": .bool(resident == ids[11]),
                    ]) { $1 }, as: noor)
            }
            waiting = waiting.dropFirst(room.taken)
        }
        passages(of: everyone, residence, as: noor, &diary)
        leaves(ids, sami: sami, rosa: rosa, warden: noor, &diary)
        meals(ids, residence, sami: sami, rosa: rosa, cook: cook ?? noor, &diary)
        return ["  \(email)     \(name), warden of Birch House"]
    }

    /// A resident without an account, as the caller of a command.
    private func resident(_ id: String, like noor: Caller) -> Caller {
        guard let membership = noor.membership, let personId = UUID(text: id) else { return noor }
        return Caller(
            account: noor.account,
            membership: ActiveMembership(
                organization: membership.organization, personId: personId, roles: [.student]))
    }

    // MARK: - Passages

    /// A passage of a resident, some minutes after noon.
    private struct SamplePassage: Sendable {
        let resident: String
        let type: String
        let method: String
        let minutes: Int
    }

    /// Adds what the gate recorded: out in the morning, in after school, and the absences of now.
    ///
    /// The gate sends the passages of a morning and of an afternoon together.
    private func passages(
        of everyone: [String], _ residence: [String: InputValue], as noor: Caller, _ diary: inout DemoDiary
    ) {
        let timeZone = diary.timeZone
        let days = Array(diary.lastSchoolDays(15)) + [diary.today]
        let away = Self.onLeave + Self.late
        for (index, day) in days.enumerated() {
            var (morning, afternoon): ([SamplePassage], [SamplePassage]) = ([], [])
            for (place, resident) in everyone.enumerated() {
                let leaving = -280 + (place * 7 + index * 3) % 25
                let returning = 225 + (place * 11 + index * 17) % 150
                // Today is only over for those who could be back by now.
                let isToday = day == diary.today
                let isBack =
                    day.midday(in: timeZone).addingTimeInterval(Double(returning * 60))
                    < diary.end.addingTimeInterval(-3 * 3600)
                guard !isToday || isBack && !away.contains(place) else { continue }
                // One resident went out three school days ago and has not been seen since.
                if place == Self.notSeen, index > days.count - 4 { continue }
                morning.append(SamplePassage(resident: resident, type: "checkOut", method: "nfc", minutes: leaving))
                if place == Self.notSeen, index == days.count - 4 { continue }
                afternoon.append(
                    SamplePassage(
                        resident: resident, type: "checkIn", method: (place + index) % 9 == 4 ? "qr" : "nfc",
                        minutes: returning))
            }
            for (hour, passages) in [(8, morning), (19, afternoon)] where !passages.isEmpty {
                diary.add(day, hour) { [passages] in
                    try await withThrowingTaskGroup { group in
                        for one in passages {
                            group.addTask {
                                try await pass(
                                    one.resident, one.type, one.method, residence, as: noor,
                                    at: day.midday(in: timeZone).addingTimeInterval(Double(one.minutes * 60)))
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }
        // After the curfew almost everyone is back.
        let hour = Calendar.gregorianHour(of: diary.end, in: timeZone)
        let out = (6..<21).contains(hour) ? Self.out : Array(Self.out.prefix(1))
        for (turn, place) in out.enumerated() where place < everyone.count {
            diary.add(minutesAgo: 22 + turn * 13) {
                try await pass(everyone[place], "checkOut", "nfc", residence, as: noor)
            }
        }
        for place in away where place < everyone.count {
            diary.add(diary.today.adding(days: -1), 19, 30 + place) {
                try await pass(everyone[place], "checkOut", "manual", residence, as: noor)
            }
        }
    }

    /// Records a passage, at an earlier time if one is given.
    private func pass(
        _ resident: String, _ type: String, _ method: String, _ residence: [String: InputValue], as noor: Caller,
        at time: Date? = nil
    ) async throws {
        var fields: [String: InputValue] = [
            "studentId": .text(resident), "type": .text(type), "method": .text(method),
        ]
        if let time {
            fields["recordedAt"] = .text(time.ISO8601Format())
            fields["sentAt"] = .text(clock.now.ISO8601Format())
        }
        try await run("residence.recordPassage", residence.merging(fields) { $1 }, as: noor)
    }

    // MARK: - Leave

    private func leaves(
        _ ids: [String], sami: Caller?, rosa: String, warden noor: Caller, _ diary: inout DemoDiary
    ) {
        let (today, timeZone, end) = (diary.today, diary.timeZone, diary.end)
        func ask(
            _ resident: Caller, from: (Day, String), to: (Day, String), _ place: String, _ companion: String,
            _ reason: String, isApproved: Bool, on day: Day, minute: Int
        ) {
            diary.add(day, 18, minute) {
                let leave = try await run(
                    "residence.requestLeave",
                    [
                        "fromDay": .text(from.0.description), "fromTime": .text(from.1),
                        "toDay": .text(to.0.description), "toTime": .text(to.1), "place": .text(place),
                        "companion": .text(companion), "reason": .text(reason),
                    ], as: resident)
                guard isApproved else { return }
                try await run(
                    "residence.decideLeave",
                    ["leaveId": .text(Self.text("id", of: leave)), "approves": .bool(true)], as: noor)
            }
        }
        let yesterday = today.adding(days: -1)
        let friday = today.adding(days: 4 - today.daysSinceMonday + (today.daysSinceMonday >= 4 ? 7 : 0))
        let asked = today.adding(days: -3)
        // The leave of those who are late ended three quarters of an hour ago.
        let over = end.addingTimeInterval(-45 * 60)
        let overDay = Day(over, in: timeZone)
        let overTime = over.formatted(
            Date.VerbatimFormatStyle(
                format: "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
                timeZone: timeZone, calendar: Calendar(identifier: .gregorian)))
        for (turn, place) in Self.onLeave.enumerated() {
            ask(
                resident(ids[place], like: noor), from: (yesterday, "18:30"), to: (today.adding(days: 2), "18:00"),
                ["Grandparents, Lyon", "Sister, Montréal"][turn], ["Omar Vargas", "Jeanne Fontaine"][turn],
                "Family visit", isApproved: true, on: asked, minute: 5 + turn)
        }
        for (turn, place) in Self.late.enumerated() {
            ask(
                resident(ids[place], like: noor), from: (yesterday, "18:30"), to: (overDay, overTime),
                ["Aunt, Geneva", "Chess tournament, Basel"][turn], ["Ruth Mwangi", "Team of the school"][turn],
                ["Birthday", "Tournament"][turn], isApproved: true, on: asked, minute: 12 + turn)
        }
        ask(
            resident(ids[8], like: noor), from: (friday, "17:00"), to: (friday.adding(days: 2), "18:00"),
            "Host family, Bern", "Family Keller", "Weekend", isApproved: true, on: yesterday, minute: 20)
        ask(
            resident(rosa, like: noor), from: (friday, "16:00"), to: (friday.adding(days: 2), "19:00"), "Home",
            "Luz Ortiz", "Weekend at home", isApproved: false, on: yesterday, minute: 26)
        if let sami {
            ask(
                sami, from: (friday, "17:30"), to: (friday.adding(days: 2), "18:30"), "Uncle, Zürich",
                "Karim Haddad",
                "Concert of my cousin", isApproved: false, on: yesterday, minute: 41)
        }
    }

    // MARK: - Meals

    /// Adds the menus of last week, this week and the next, choices, diets and allergies.
    private func meals(
        _ ids: [String], _ residence: [String: InputValue], sami: Caller?, rosa: String, cook: Caller,
        _ diary: inout DemoDiary
    ) {
        let monday = diary.today.adding(days: -diary.today.daysSinceMonday)
        let written = monday.adding(days: -10)
        for entry in Self.diets where entry.place < ids.count {
            diary.add(written, 17, entry.place) {
                var fields: [String: InputValue] = ["diet": .text(entry.diet), "carriesPen": .bool(entry.pen)]
                fields["allergies"] = entry.allergies.map(InputValue.text)
                try await run("residence.saveDiet", fields, as: resident(ids[entry.place], like: cook))
            }
        }
        for offset in -7..<14 {
            let (day, dishes) = (monday.adding(days: offset), Self.menu[((offset % 7) + 7) % 7])
            diary.add(written, 18, offset + 8) {
                var fields: [String: InputValue] = ["day": .text(day.description), "cutOff": .text("18:00")]
                for (kind, dish, time) in [
                    ("breakfast", dishes.breakfast, "07:00"), ("lunch", dishes.lunch, "12:30"),
                    ("dinner", dishes.dinner, "18:30"),
                ] {
                    fields[kind] = .text(dish)
                    fields["\(kind)Time"] = .text(time)
                    fields["\(kind)Diets"] = .list(Self.withMeat.contains(dish) ? [] : [.text("vegetarian")])
                }
                let saved = try await run("residence.saveMenu", residence.merging(fields) { $1 }, as: cook)
                guard offset >= 0, offset < 7 else { return }
                let eaters =
                    ids.enumerated().filter { ($0.offset * 5 + offset * 3) % 11 == 2 }.map {
                        resident($0.element, like: cook)
                    } + (offset % 3 == 2 ? [sami].compactMap(\.self) : [])
                    + (offset > 3 ? [resident(rosa, like: cook)] : [])
                for (turn, eater) in eaters.enumerated() {
                    try await skip(meal: (turn + offset) % 3, of: saved, as: eater)
                }
            }
        }
    }

    private func skip(meal place: Int, of saved: Data, as eater: Caller) async throws {
        guard case .object(let page) = try InputValue(json: saved), case .list(let meals)? = page["items"],
            place < meals.count, case .object(let meal) = meals[place], let id = meal["id"]
        else { return }
        try await run("residence.chooseMeal", ["mealId": id, "choice": .text("skip")], as: eater)
    }
}

extension Calendar {
    /// The hour of an instant on the wall clock of a time zone.
    fileprivate static func gregorianHour(of instant: Date, in timeZone: TimeZone) -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.component(.hour, from: instant)
    }
}

extension DemoDiary {
    /// Adds an activity some minutes before the end of the diary.
    mutating func add(minutesAgo minutes: Int, _ happen: @escaping () async throws -> Void) {
        add(at: end.addingTimeInterval(-Double(minutes) * 60), happen)
    }
}
