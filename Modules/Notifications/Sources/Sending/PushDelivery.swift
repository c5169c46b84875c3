import Domain
public import FeatureKit
import Foundation
import ScreenKit
import Synchronization

/// What sending asks of other blocks, through the kernel's ports.
public struct PushPorts: Sendable {
    public let sender: any PushSender
    public let sessions: any Authenticator
    public let memberships: any MembershipResolver
    public let preferences: any PreferenceSource
    /// Whether this server has the page that opens links from elsewhere (`DeepLink.opener`).
    public let opensLinks: Bool
    /// Hears of what a push service refused; nothing of it names anybody.
    public let report: @Sendable (String) -> Void

    public init(
        sender: any PushSender, sessions: any Authenticator, memberships: any MembershipResolver,
        preferences: any PreferenceSource, opensLinks: Bool, report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.sender = sender
        self.sessions = sessions
        self.memberships = memberships
        self.preferences = preferences
        self.opensLinks = opensLinks
        self.report = report
    }
}

/// Tells devices what happened in a school: each device each thing once, in order.
///
/// A device's place in the log is committed after each push. A server that stops between a push and its commit sends
/// the very same one again, under the same id; push service and device take two of an id as one.
final class PushDelivery: Sendable {
    /// How many devices of a school are told at a time.
    static let width = 4
    /// Only the newest are looked at; whoever missed more reads the list.
    static let window = 200
    /// Letters of a text; what is longer ends with an ellipsis, and the list has the whole.
    static let textLimit = 300

    private let service: NotificationService
    private let ports: PushPorts
    private let catalogs: [StringCatalog]
    /// Put together at the first push: a start need not wait for them.
    private let words = Mutex<[Language: Words]>([:])
    /// The schools that are worked on, and whether something happened there meanwhile.
    private let running = Mutex<[UUID: Bool]>([:])

    init(service: NotificationService, ports: PushPorts, catalogs: [StringCatalog]) {
        self.service = service
        self.ports = ports
        self.catalogs = catalogs
    }

    private func words(in language: Language) -> Words {
        words.withLock { words in
            if let known = words[language] { return known }
            let made = Words(language, catalogs)
            words[language] = made
            return made
        }
    }

    /// Tells every device of the job's school what waits for it.
    func run(_ job: JobContext) async throws {
        guard let schoolId = job.schoolId, begin(schoolId) else { return }
        do {
            repeat { try await tell(schoolId, job) } while goesOn(schoolId)
        } catch {
            running.withLock { $0[schoolId] = nil }
            throw error
        }
    }

    /// One at a time for each school; another one makes the first look once more.
    private func begin(_ schoolId: UUID) -> Bool {
        running.withLock { running in
            defer { running[schoolId] = running[schoolId] != nil }
            return running[schoolId] == nil
        }
    }

    private func goesOn(_ schoolId: UUID) -> Bool {
        running.withLock { running in
            let again = running[schoolId] == true
            running[schoolId] = again ? false : nil
            return again
        }
    }

    private func tell(_ schoolId: UUID, _ job: JobContext) async throws {
        let devices = try await job.directory.read { try PushDeviceRepository.devices(of: schoolId, in: $0) }
        guard !devices.isEmpty else { return }
        let accounts = try await ports.sessions.accounts(ofSessions: devices.map(\.sessionId))
        let over = devices.filter { accounts[$0.sessionId]?.id != $0.accountId }
        if !over.isEmpty { try await forget(over, job) }
        let kinds = Array(service.kinds.keys)
        let recent = try await job.database.read { sql in
            try ChangeLog.latest(kinds: kinds, limit: Self.window, in: sql)
        }.filter { $0.at > job.now.addingTimeInterval(-PushPlan.lifetime) }
        guard !recent.isEmpty else { return }
        let (oldestFirst, delivery) = (Array(recent.reversed()), self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var count = 0
            for device in devices {
                guard let account = accounts[device.sessionId], account.id == device.accountId else { continue }
                if count >= Self.width { try await group.next() }
                count += 1
                group.addTask { try await delivery.tell(device, account, oldestFirst, job) }
            }
            try await group.waitForAll()
        }
    }

    /// Devices on which nobody is signed in any more, or that have taken their address back.
    private func forget(_ devices: [PushDevice], _ job: JobContext) async throws {
        let ids = devices.map(\.id)
        try await job.commit { try CursorRepository.remove(ids, in: $0) }
        // conformance: allow write - a device that is gone is found when it is told something; nobody asked for a command
        try await job.directory.write { try PushDeviceRepository.remove(ids, in: $0) }
    }

    private func tell(
        _ device: PushDevice, _ account: SignedInAccount, _ recent: [LoggedChange], _ job: JobContext
    ) async throws {
        guard let context = try await context(of: device, account, job) else { return }
        let (membership, now) = (try context.membership, job.now)
        let state = try await job.database.read { [service] sql in
            (
                cursor: try CursorRepository.cursor(of: device, in: sql),
                choices: try ChoicesRepository.choices(of: device.personId, in: sql),
                waiting: try service.waiting(recent, for: device, membership, in: sql),
                badge: try service.unread(by: membership, in: sql)
            )
        }
        var cursor = state.cursor
        if let quiet = state.choices.quietHours, quiet.contains(now, in: membership.timeZone) { return }
        if cursor.pauses(at: now) { return }
        let waiting = state.waiting.filter { logged in
            logged.seq > cursor.seq && state.choices.wants(service.kinds[logged.change.kind]?.category)
        }
        let parts = PushPlan.parts(
            of: waiting, begun: cursor.summaryThrough, quiet: state.choices.quietHours,
            timeZone: membership.timeZone)
        for part in parts {
            if case .summary(_, let through) = part, cursor.summaryThrough != through {
                cursor.summaryThrough = through
                try await keep(cursor, job)
            }
            let message = try await message(part, badge: state.badge, context)
            let outcome = await ports.sender.send(message, to: device.address)
            switch outcome {
            case .delivered: cursor = cursor.told(through: part.through)
            case .refused:
                // It would be refused again; the person finds it in the list.
                ports.report("A push service refused a notification.")
                cursor = cursor.told(through: part.through)
            case .gone: return try await forget([device], job)
            case .busy(let seconds): cursor = cursor.failed(at: now, retryAfter: seconds)
            case .unreachable: cursor = cursor.failed(at: now, retryAfter: nil)
            }
            try await keep(cursor, job)
            // The next one waits behind the one that failed: they come in order.
            if cursor.notBefore != nil { return }
        }
        // What was turned off when it happened does not come late once it is turned on again.
        if let last = state.waiting.last?.seq, last > cursor.seq { try await keep(cursor.told(through: last), job) }
    }

    private func keep(_ cursor: PushCursor, _ job: JobContext) async throws {
        let now = job.now
        try await job.commit { try CursorRepository.set(cursor, at: now, in: $0) }
    }

    /// The device's owner as if they asked for the list there; `nil` where they would get none.
    private func context(
        of device: PushDevice, _ account: SignedInAccount, _ job: JobContext
    ) async throws -> RequestContext? {
        let membership = try await ports.memberships.activeMembership(of: account)
        let caller = Caller(account: account, membership: membership)
        guard let membership, account.token == nil, !caller.needsSecondFactor, membership.deletesOn == nil,
            membership.organization.id == device.organizationId, membership.personId == device.personId
        else { return nil }
        let language = try await ports.preferences.preferences(of: account.id).language ?? device.language
        return RequestContext(
            caller: caller, now: job.now, ids: job.ids, words: words(in: language), remoteAddress: "",
            deviceId: account.deviceId, school: job.database, files: nil, directory: job.directory)
    }

    /// What the list says, and no more.
    private func message(_ part: PushPlan.Part, badge: Int, _ context: RequestContext) async throws -> PushMessage {
        let organization = try context.membership.organization
        var (text, path): (String, String?)
        let (id, at): (String, Date)
        switch part {
        case .single(let logged):
            (text, path) = try await service.kinds[logged.change.kind]?.show(logged, context) ?? ("", nil)
            (id, at) = ("\(organization.id.text).\(logged.seq)", logged.at)
        case .summary(let count, let through):
            (text, path) = (context.words("notifications.summary", count), nil)
            (id, at) = ("\(organization.id.text).s\(through)", context.now)
        }
        if text.count > Self.textLimit { text = "\(text.prefix(Self.textLimit - 1))…" }
        let target = path ?? NotificationsScreen.path
        return PushMessage(
            id: id, title: organization.name, body: text,
            path: ports.opensLinks ? DeepLink.address(of: target) : target, badge: badge,
            accountId: try context.account.id, expiresAt: at.addingTimeInterval(PushPlan.lifetime))
    }
}

extension NotificationService {
    /// Those of these changes that a device's owner may know of, did not do, and has not read; that happened after the
    /// device was there.
    fileprivate func waiting(
        _ recent: [LoggedChange], for device: PushDevice, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        let read = try NotificationRepository.read(by: device.personId, in: sql)
        let concerning = try concerning(recent, membership, in: sql)
        return concerning.filter { $0.at > device.registeredAt && !read.contains($0.seq) }
    }
}
