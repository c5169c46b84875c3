import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import ResidenceModel
import TestKit
import Testing

@testable import Residence

@Suite("Gates and tags")
struct GateTests {
    /// A residence with one resident and one gate, on Thursday 12 November 2026 at 18:00 in the school's time zone.
    private struct Setup {
        let clock: FixedClock
        let fixture: ResidenceFixture
        let residence: Residence
        let ana: Caller
        let gate: Gate
        let tablet: Caller

        init() async throws {
            clock = FixedClock()
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "18:00")
            residence = try await fixture.residence()
            ana = try await fixture.student("Ana Diaz")
            try await fixture.moveIn(ana, residence)
            (gate, tablet) = try await Self.pair(residence, fixture)
        }

        var anaId: UUID { ResidenceFixture.id(ana) }

        /// Pairs a device and returns its session.
        static func pair(
            _ residence: Residence, _ fixture: ResidenceFixture, code: String = "ABCD2345"
        ) async throws -> (Gate, Caller) {
            let gate = try await fixture.school.execute(
                AllowGate.self,
                ["pgId": .id(residence.id), "name": "Main door", "pairingCode": .text(code)], as: fixture.warden)
            try await fixture.school.execute(
                PairGate.self, ["pairingCode": .text("https://tower.example/gate/pair/\(code)")], as: .nobody)
            let session = try #require(fixture.sessions.started.last)
            let account = try #require(fixture.warden.account)
            return (
                gate,
                Caller(
                    account: SignedInAccount(
                        id: account.id, sessionId: UUID(), deviceId: session.deviceId, email: account.email,
                        name: account.name,
                        token: TokenRights(
                            scopes: session.scopes, organizationId: session.organizationId, isDevice: true)),
                    membership: fixture.warden.membership)
            )
        }

        @discardableResult
        func pass(
            _ type: RecordType, id: UUID = UUID(), at instant: Date? = nil, of student: UUID? = nil,
            method: CheckInMethod = .qr, tag: UUID? = nil, as caller: Caller? = nil
        ) async throws -> CheckInOutRecord {
            try await fixture.school.execute(
                RecordGatePassage.self,
                [
                    "id": .id(id), "studentId": .id(student ?? anaId), "type": .text(type.rawValue),
                    "method": .text(method.rawValue), "at": .text((instant ?? clock.now).ISO8601Format()),
                    "tagId": tag.map { .id($0) } ?? .null,
                ], as: caller ?? tablet)
        }

        func list() async throws -> GateList { try await fixture.school.answer(ReadGateList.self, as: tablet) }

        func tag(number: String? = nil, for student: Caller? = nil) async throws -> PersonalTag {
            var fields: [String: InputValue] = [
                "pgId": .id(residence.id), "studentId": .id(ResidenceFixture.id(student ?? ana)),
            ]
            fields["number"] = number.map { .text($0) }
            return try await fixture.school.execute(AddTag.self, .object(fields), as: fixture.warden)
        }

        func statuses() async throws -> [AttendanceStudent.Status] {
            try await fixture.school.answer(
                ReadDailyAttendance.self, ["pgId": .id(residence.id)], as: fixture.warden
            ).students.map(\.status)
        }
    }

    @Test("a paired device records passages of its residence and reads nothing else of the school")
    func narrow() async throws {
        let setup = try await Setup()
        #expect(setup.fixture.sessions.started.map(\.scopes) == [[TokenScope(area: "gate", mayChange: true)]])
        let record = try await setup.pass(.checkIn)
        #expect(record.deviceId == setup.gate.id.text && record.method == .qr)
        #expect(try await setup.statuses() == [.checkedIn])
        for command in [MoveOut.contract.name, RecordPassage.contract.name, AddTag.contract.name] {
            let refused = try await problem {
                try await setup.fixture.school.execute(
                    command, ["pgId": .id(setup.residence.id), "studentId": .id(setup.anaId)], as: setup.tablet)
            }
            #expect(refused?.code == "tokenScope", "\(command)")
        }
        let residents = try await problem {
            _ = try await setup.fixture.school.answer(
                ListResidents.self, ["pgId": .id(setup.residence.id)], as: setup.tablet)
        }
        #expect(residents?.code == "tokenScope")
        #expect(
            PermissionService.opens(GateAccess.area, setup.tablet) && !PermissionService.opens(nil, setup.tablet))
    }

    @Test("a gate records no passage of another residence's resident, and a warden's own session is no gate")
    func otherResidence() async throws {
        let setup = try await Setup()
        let other = try await setup.fixture.residence("Oak House")
        let ben = try await setup.fixture.student("Ben Ito")
        try await setup.fixture.moveIn(ben, other)
        let foreign = try await problem {
            try await setup.pass(.checkIn, of: ResidenceFixture.id(ben))
        }
        #expect(foreign?.code == "residence.studentNotFound")
        #expect(try await setup.list().residents.map(\.id) == [setup.anaId])
        let warden = try await problem { try await setup.pass(.checkIn, as: setup.fixture.warden) }
        #expect(warden?.code == "residence.noGate")
    }

    @Test("a pairing code makes one device a gate, once and within ten minutes")
    func pairing() async throws {
        let setup = try await Setup()
        func pair(_ code: String) async throws -> [String]? {
            try await problem {
                try await setup.fixture.school.execute(PairGate.self, ["pairingCode": .text(code)], as: .nobody)
            }?.faults.map(\.code)
        }
        #expect(try await pair("ABCD2345") == ["residence.pairingUnknown"])
        try await setup.fixture.school.execute(
            AllowGate.self, ["pgId": .id(setup.residence.id), "name": "Garden", "pairingCode": "ABCD0002"],
            as: setup.fixture.warden)
        setup.clock.advance(by: GatePairing.lifetime + 1)
        #expect(try await pair("ABCD0002") == ["residence.pairingUnknown"])
        let stranger = try await problem {
            try await setup.fixture.school.execute(
                AllowGate.self, ["pgId": .id(setup.residence.id), "name": "Garden", "pairingCode": "ABCD0003"],
                as: setup.fixture.otherWarden)
        }
        #expect(stranger?.status == 404)
    }

    @Test("a gate that a warden ended no longer records anything")
    func ended() async throws {
        let setup = try await Setup()
        try await setup.fixture.school.execute(
            EndGate.self, ["pgId": .id(setup.residence.id), "gateId": .id(setup.gate.id)], as: setup.fixture.warden)
        let refused = try await problem { try await setup.pass(.checkIn) }
        #expect(refused?.code == "residence.noGate")
        let gates = try await setup.fixture.school.answer(
            ListGates.self, ["pgId": .id(setup.residence.id)], as: setup.fixture.warden)
        #expect(gates.items.map(\.endedAt) == [setup.clock.now])
    }

    @Test("a passage that a gate sends twice, or reads twice within 10 s, is recorded once")
    func once() async throws {
        let setup = try await Setup()
        let id = UUID()
        let records = try await withThrowingTaskGroup(of: CheckInOutRecord.self) { group in
            for _ in 0..<20 { group.addTask { try await setup.pass(.checkIn, id: id) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(records.map(\.id)) == [id])
        setup.clock.advance(by: 9)
        #expect(try await setup.pass(.checkOut).id == id)
        setup.clock.advance(by: 60)
        let again = try await setup.pass(.checkIn)
        #expect(again.id != id, "a check-in while in is kept as seen again")
        #expect(try await setup.statuses() == [.checkedIn])
    }

    @Test("passages of a gate that was offline for a week keep their times, and a time to come counts as now")
    func offline() async throws {
        let setup = try await Setup()
        let then = setup.clock.now
        setup.clock.advance(by: 7 * 86_400)
        let late = try await setup.pass(.checkIn, at: then)
        #expect(late.timestamp == then)
        // A clock that is a day ahead.
        let early = try await setup.pass(.checkOut, at: setup.clock.now.addingTimeInterval(86_400))
        #expect(early.timestamp == setup.clock.now)
        let tooOld = try await problem {
            try await setup.pass(.checkIn, at: setup.clock.now.addingTimeInterval(-15 * 86_400))
        }
        #expect(tooOld?.faults.map(\.code) == ["residence.tooOld"])
    }

    @Test("a passage is taken back at the gate that recorded it, and stays in the record with who and why")
    func takeBack() async throws {
        let setup = try await Setup()
        let record = try await setup.pass(.checkIn)
        func takeBack(_ id: UUID, as caller: Caller) async throws {
            try await setup.fixture.school.execute(TakeBackPassage.self, ["recordId": .id(id)], as: caller)
        }
        let (_, other) = try await Setup.pair(setup.residence, setup.fixture, code: "ABCD0009")
        #expect(try await problem { try await takeBack(record.id, as: other) }?.status == 404)
        try await takeBack(record.id, as: setup.tablet)
        try await takeBack(record.id, as: setup.tablet)
        #expect(try await setup.statuses() == [.absent])
        let corrections = try await setup.fixture.school.database.read {
            try PassageRepository.corrections(of: [record.id], in: $0)
        }
        #expect(corrections.map(\.reason) == ["Undone at Main door"])
        #expect(corrections.map(\.by) == [ResidenceFixture.id(setup.fixture.warden)])
        // A repeated read left no passage: taking it back changes nothing.
        try await takeBack(UUID(), as: setup.tablet)
    }

    @Test("a resident who moved out is refused, and their tags are revoked")
    func movedOut() async throws {
        let setup = try await Setup()
        _ = try await setup.tag(number: "04:A2:B9:C1")
        try await setup.fixture.school.execute(
            MoveOut.self, ["pgId": .id(setup.residence.id), "studentId": .id(setup.anaId)],
            as: setup.fixture.warden)
        setup.clock.advance(by: 2 * 86_400)
        #expect(try await problem { try await setup.pass(.checkIn) }?.code == "residence.movedOut")
        #expect(try await setup.list().residents.isEmpty)
        let ben = try await setup.fixture.student("Ben Ito")
        try await setup.fixture.moveIn(ben, setup.residence)
        #expect(try await setup.tag(number: "04a2b9c1", for: ben).kind == .reader)
    }

    @Test("a passage by a tag that was lost or revoked before is refused, and one from before that is recorded")
    func lostMeanwhile() async throws {
        let setup = try await Setup()
        let card = try await setup.tag(number: "04A2B9C1")
        let before = setup.clock.now
        setup.clock.advance(by: 60)
        let ids: [String: InputValue] = [
            "pgId": .id(setup.residence.id), "studentId": .id(setup.anaId), "tagId": .id(card.id),
        ]
        _ = try await setup.fixture.school.execute(
            ReportTag.self, .object(ids.merging(["isLost": .bool(true)]) { $1 }), as: setup.fixture.warden)
        setup.clock.advance(by: 60)
        // The gate was without a network and sends both only now.
        let after = try await problem { _ = try await setup.pass(.checkOut, tag: card.id) }
        #expect(after?.status == 409 && after?.code == "residence.tagEnded")
        #expect(try await setup.pass(.checkIn, at: before, tag: card.id).timestamp == before)
        #expect(try await setup.statuses() == [.checkedIn])
    }

    @Test("a gate gets fingerprints of tags, never their codes, and says which are lost and found again")
    func tags() async throws {
        let setup = try await Setup()
        let badge = try await setup.tag()
        let card = try await setup.tag(number: "04:a2:b9:c1")
        #expect(badge.kind == .badge && card.kind == .reader)
        func report(_ isLost: Bool) async throws {
            try await setup.fixture.school.execute(
                ReportTag.self,
                [
                    "pgId": .id(setup.residence.id), "studentId": .id(setup.anaId), "tagId": .id(card.id),
                    "isLost": .bool(isLost),
                ], as: setup.fixture.warden)
        }
        func lost() async throws -> [UUID] {
            try await setup.list().residents.flatMap(\.tags).filter(\.isLost).map(\.id)
        }
        let resident = try #require(try await setup.list().residents.first)
        #expect(resident.tags.map(\.fingerprint).contains(FastHasher().fingerprint("04A2B9C1")))
        #expect(try await lost() == [])
        try await report(true)
        #expect(try await lost() == [card.id])
        try await report(false)
        #expect(try await lost() == [])
        try await setup.fixture.school.execute(
            RevokeTag.self,
            ["pgId": .id(setup.residence.id), "studentId": .id(setup.anaId), "tagId": .id(card.id)],
            as: setup.fixture.warden)
        #expect(try await setup.list().residents.flatMap(\.tags).map(\.id) == [badge.id])
    }

    @Test("codes are random and differ from ids, a new badge replaces the old one, and two people share no card")
    func codes() async throws {
        let setup = try await Setup()
        let first = try await setup.tag()
        let second = try await setup.tag()
        let stored = try await setup.fixture.school.database.read {
            try TagRepository.tags(of: [setup.anaId], in: $0)[setup.anaId] ?? []
        }
        #expect(stored.map(\.tag.id) == [second.id] && first.id != second.id)
        let code = try #require(stored.first?.code)
        #expect(code.count == TagCode.length && ShortCode.isOne(code, length: TagCode.length))
        _ = try await setup.tag(number: "CARD-0001")
        let ben = try await setup.fixture.student("Ben Ito")
        try await setup.fixture.moveIn(ben, setup.residence)
        func fault(_ number: String, _ student: Caller) async throws -> [String]? {
            try await problem { _ = try await setup.tag(number: number, for: student) }?.faults.map(\.code)
        }
        #expect(try await fault("card0001", ben) == ["residence.tagTaken"])
        #expect(try await fault("CARD 0001", setup.ana) == ["residence.tagKnown"])
        #expect(try await fault("x1", ben) == ["residence.tagNumber"])
    }

    @Test("missing badges are made once, and the page offers them as a document")
    func badges() async throws {
        let setup = try await Setup()
        let page = GateScreens.path(setup.residence.id)
        func outline() async throws -> Outline {
            try await setup.fixture.school.environment.outline(page, as: setup.fixture.warden)
        }
        #expect(try await outline().contains("Residents with a badge: 0 of 1"))
        for _ in 0..<2 {
            try await setup.fixture.school.execute(
                MakeBadges.self, ["pgId": .id(setup.residence.id)], as: setup.fixture.warden)
        }
        #expect(try await outline().contains("Residents with a badge: 1 of 1"))
        let tags = try await setup.fixture.school.answer(
            ListTags.self, ["pgId": .id(setup.residence.id), "studentId": .id(setup.anaId)],
            as: setup.fixture.warden)
        #expect(tags.items.map(\.kind) == [.badge])
    }

    @Test("a resident shows a code of their own, and decides whether their place is recorded")
    func own() async throws {
        let setup = try await Setup()
        func outline() async throws -> Outline {
            try await setup.fixture.school.environment.outline(TagScreens.own, as: setup.ana)
        }
        #expect(try await outline().contains("Show my code"))
        let first = try await setup.fixture.school.execute(MakeOwnCode.self, as: setup.ana)
        let second = try await setup.fixture.school.execute(MakeOwnCode.self, as: setup.ana)
        #expect(try await setup.list().residents.flatMap(\.tags).map(\.id) == [second.id])
        #expect(first.kind == .phone)
        #expect(try await outline().contains("New code"))
        #expect(try await !outline().contains("Share my place when I check in"), "the residence records no places")
        try await setup.fixture.school.execute(AllowLocation.self, ["isAllowed": true], as: setup.ana)
        let allows = try await setup.fixture.school.database.read {
            try ResidentRepository.resident(setup.anaId, in: $0)?.allowsLocation
        }
        #expect(allows == true)
        let ben = try await setup.fixture.student("Ben Ito")
        #expect(
            try await problem { try await setup.fixture.school.execute(MakeOwnCode.self, as: ben) }?.code
                == "residence.studentNotFound")
    }

    @Test("a gate's list has the room, the leave and the curfews of the next two weeks")
    func list() async throws {
        let setup = try await Setup()
        let room = try await setup.fixture.room("104", in: setup.residence)
        try await setup.fixture.assign(setup.ana, room, in: setup.residence)
        try await setup.pass(.checkIn)
        let list = try await setup.list()
        #expect(list.gate.name == "Main door" && list.residence == "Birch House" && list.now == setup.clock.now)
        #expect(list.days.count == 15 && list.days[0].start < list.now)
        // Thursday's curfew is 20:00, two hours from now; Friday's is 22:00.
        #expect(list.days[0].curfew == setup.clock.now.addingTimeInterval(2 * 3600))
        #expect(list.days[1].curfew == setup.clock.now.addingTimeInterval(28 * 3600))
        let ana = try #require(list.residents.first)
        #expect(ana.room == "104" && ana.type == .checkIn && ana.lastPassage == setup.clock.now)
    }

    @Test("a camera's picture is read for a gate only")
    func camera() async throws {
        let setup = try await Setup()
        let picture = InputValue.object([
            "picture": .list([
                .file(
                    UploadedFile(
                        name: "frame.jpg", contentType: "image/jpeg", content: .bytes(Array("CODE1".utf8)), size: 5)
                )
            ])
        ])
        let found = try await setup.fixture.school.execute(ReadCode.self, picture, as: setup.tablet)
        #expect(found.codes == ["CODE1"])
        let warden = try await problem {
            try await setup.fixture.school.execute(ReadCode.self, picture, as: setup.fixture.warden)
        }
        #expect(warden?.code == "residence.noGate")
    }

    @Test("the texts of the island are in both languages, with the values that they name")
    func words() throws {
        for language in Language.allCases {
            let words = Words(language, [try StringCatalog(in: ResidenceFeature.bundle)])
            for key in KioskScreen.keys { #expect(words.has("gate.\(key)"), "\(key) in \(language)") }
            #expect(words("gate.late.hours").contains("{h}") && words("gate.late.hours").contains("{m}"))
        }
    }
}
