import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Gate codes on a child's device")
struct GateCodeTests {
    let auth: AuthFixture
    let me: Caller

    init() async throws {
        auth = try await AuthFixture()
        me = try await auth.caller(auth.signUp())
    }

    private func set(_ code: String, as caller: Caller) async throws {
        try await auth.environment.execute(SetGateCode.self, ["code": .text(code)], as: caller)
    }
    private func check(_ code: String, as caller: Caller) async throws {
        try await auth.environment.execute(CheckGateCode.self, ["code": .text(code)], as: caller)
    }
    private func hashes() async throws -> [String] {
        try await auth.environment.directory.read { sql in
            try sql.rows("SELECT code_hash FROM gate_codes ORDER BY account_id, device_id").map {
                try $0.get("code_hash")
            }
        }
    }

    @Test(
        "a code is set, checked and changed; only a slow salted hash is stored",
        .requirement("TQ-2.04.e", "TQ-2.05.a"))
    func roundTrip() async throws {
        #expect(try await problem { try await check("2468", as: me) } == Problem(409, "auth.gateCodeUnset"))
        let work = auth.hasher.work
        try await set("2468", as: me)
        #expect(auth.hasher.work == work + 1, "the password's own slow hash, with its own salt each time")
        #expect(try await hashes().allSatisfy { $0.hasPrefix("fast$") && !$0.contains("2468") })
        try await check("2468", as: me)
        #expect(try await problem { try await set("1357", as: me) } == Problem(409, "auth.gateCodeSet"))
        let wrong = try await problem {
            try await auth.environment.execute(
                ChangeGateCode.self, ["currentCode": "0000", "code": "1357"], as: me)
        }
        #expect(wrong?.faults == [Fault("currentCode", "auth.wrongGateCode")])
        try await auth.environment.execute(ChangeGateCode.self, ["currentCode": "2468", "code": "1357"], as: me)
        #expect(
            try await problem { try await check("2468", as: me) }?.faults == [Fault("code", "auth.wrongGateCode")])
        try await check("1357", as: me)
    }

    @Test(
        "a code has exactly four digits",
        arguments: ["", "123", "12345", "12a4", "１２３４", "-123", " 123", "12 4"])
    func digits(_ code: String) async throws {
        #expect(try await problem { try await set(code, as: me) }?.status == 422)
        #expect(try await hashes().isEmpty)
    }

    @Test("a code belongs to one device and one account")
    func device() async throws {
        try await set("2468", as: me)
        let there = try await auth.caller(auth.signIn())
        #expect(there.account?.deviceId != me.account?.deviceId)
        #expect(try await problem { try await check("2468", as: there) } == Problem(409, "auth.gateCodeUnset"))
        let stranger = try await auth.caller(auth.signUp("eve@maple.example"))
        #expect(try await problem { try await check("2468", as: stranger) } == Problem(409, "auth.gateCodeUnset"))
        try await set("2468", as: there)
        try await check("2468", as: there)
    }

    @Test(
        "wrong codes lock it for 30 seconds, doubling; the right one is refused meanwhile",
        .requirement("TQ-2.07"))
    func lockOut() async throws {
        try await set("2468", as: me)
        for _ in 0..<5 { #expect(try await problem { try await check("0000", as: me) }?.status == 422) }
        let work = auth.hasher.work
        #expect(try await problem { try await check("2468", as: me) } == .tooManyTries(30))
        #expect(
            try await problem {
                try await auth.environment.execute(
                    ChangeGateCode.self, ["currentCode": "2468", "code": "1357"], as: me)
            } == .tooManyTries(30), "changing is no way around")
        #expect(auth.hasher.work == work)
        let status = try await auth.environment.answer(GateCodeStatus.self, as: me)
        #expect(status.isSet)
        #expect(status.lockedUntil == auth.environment.clock.now.addingTimeInterval(30))
        auth.environment.clock.advance(by: 30)
        #expect(try await problem { try await check("0000", as: me) }?.status == 422)
        #expect(try await problem { try await check("2468", as: me) } == .tooManyTries(60))
        auth.environment.clock.advance(by: 60)
        try await check("2468", as: me)
        #expect(try await auth.environment.answer(GateCodeStatus.self, as: me).lockedUntil == nil)
    }

    @Test("parallel guesses are locked after five")
    func atOnce() async throws {
        try await set("2468", as: me)
        let work = auth.hasher.work
        await withTaskGroup(of: Void.self) { group in
            for code in 0..<60 {
                group.addTask {
                    do { try await check("1\(code + 100)", as: me) } catch {}
                }
            }
        }
        #expect(auth.hasher.work - work == 5)
    }

    @Test("the account's password removes a forgotten code")
    func forgotten() async throws {
        try await set("2468", as: me)
        func remove(_ password: String) async throws {
            try await auth.environment.execute(RemoveGateCode.self, ["password": .text(password)], as: me)
        }
        #expect(try await problem { try await remove("a guess") }?.status == 422)
        try await remove(AuthFixture.password)
        #expect(try await !auth.environment.answer(GateCodeStatus.self, as: me).isSet)
        try await set("1357", as: me)
    }

    @Test("another block uses codes through the interface")
    func service() async throws {
        let codes: any GateCodes = GateCodeService(directory: auth.environment.directory, hasher: auth.hasher)
        let (account, now) = (try #require(me.account), auth.environment.clock.now)
        #expect(try await !codes.isSet(for: account))
        #expect(try await problem { try await codes.set("12", for: account, at: now) }?.status == 422)
        try await codes.set("2468", for: account, at: now)
        #expect(try await codes.isSet(for: account))
        try await codes.change("2468", to: "1357", for: account, at: now)
        try await codes.check("1357", for: account, at: now)
        for _ in 0..<5 {
            _ = try await problem { try await codes.check("0000", for: account, at: now) }
        }
        #expect(try await codes.lockedUntil(for: account, at: now) == now.addingTimeInterval(30))
    }
}
