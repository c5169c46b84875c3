import Domain
public import FeatureKit
import Foundation
import ScreenKit
import Synchronization

/// The ports through which sending reaches devices, sessions, memberships and preferences.
public struct PushPorts: Sendable {
    public let sender: any PushSender
    public let sessions: any Authenticator
    public let memberships: any MembershipResolver
    public let preferences: any PreferenceSource
    /// Whether this server has the page that opens links from notifications and other programs (`DeepLink.opener`).
    public let opensLinks: Bool
    /// Records a message that a push service refused. The text names no person.
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

/// Sends a school's changes to the devices of the people concerned: once each, in order.
///
/// A device's cursor is committed after each message. A server that stops between the message and the commit sends the
/// same message again under the same id, and the push service and the device show it once.
final class PushDelivery: Sendable {
    /// How many devices of a school are served at a time.
    static let width = 4
    /// How many of the newest changes are considered. The list shows all of them.
    static let window = 200
    /// The longest text in characters. A longer one ends with an ellipsis; the list shows all of it.
    static let textLimit = 300

    private let service: NotificationService
    private let ports: PushPorts
    private let catalogs: [StringCatalog]
    /// The texts of each language, made at the first use to keep the server's start short.
    private let words = Mutex<[Language: Words]>([:])
    /// The schools that are being served. The value says whether the job ran again meanwhile.
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

    /// Sends all that waits for the devices of the job's school.
    func run(_ job: JobContext) async throws {
        guard let schoolId = job.schoolId, begin(schoolId) else { return }
        do {
            repeat { try await deliver(schoolId, job) } while continues(schoolId)
        } catch {
            running.withLock { $0[schoolId] = nil }
            throw error
        }
    }

    /// Returns whether to start. Each school is served once at a time; a second call makes the first one check again.
    private func begin(_ schoolId: UUID) -> Bool {
        running.withLock { running in
            defer { running[schoolId] = running[schoolId] != nil }
            return running[schoolId] == nil
        }
    }

    /// Returns whether the school must be checked again, because the job ran meanwhile. Otherwise ends the work.
    private func continues(_ schoolId: UUID) -> Bool {
        running.withLock { running in
            let again = running[schoolId] == true
            running[schoolId] = again ? false : nil
            return again
        }
    }

    /// Checks the school's devices once, and sends each what waits for it.
    private func deliver(_ schoolId: UUID, _ job: JobContext) async throws {
        let devices = try await job.directory.read { try PushDeviceRepository.devices(of: schoolId, in: $0) }
        guard !devices.isEmpty else { return }
        let accounts = try await ports.sessions.accounts(ofSessions: devices.map(\.sessionId))
        let ended = devices.filter { accounts[$0.sessionId]?.id != $0.accountId }
        if !ended.isEmpty { try await remove(ended, job) }
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
                group.addTask { try await delivery.deliver(device, account, oldestFirst, job) }
            }
            try await group.waitForAll()
        }
    }

    /// Removes devices on which no one is signed in any more, or whose address the push service no longer knows.
    private func remove(_ devices: [PushDevice], _ job: JobContext) async throws {
        let ids = devices.map(\.id)
        try await job.commit { try CursorRepository.remove(ids, in: $0) }
        // conformance: allow write - a device's absence shows while sending; no command asked for it
        try await job.directory.write { try PushDeviceRepository.remove(ids, in: $0) }
    }

    /// Sends one device what waits for it, and commits its cursor after each message.
    private func deliver(
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
                try await store(cursor, job)
            }
            let message = try await message(part, badge: state.badge, context)
            let outcome = await ports.sender.send(message, to: device.address)
            switch outcome {
            case .delivered: cursor = cursor.advanced(to: part.through)
            case .refused:
                // A second try would be refused as well. The list shows the notification.
                ports.report("A push service refused a notification.")
                cursor = cursor.advanced(to: part.through)
            case .gone: return try await remove([device], job)
            case .busy(let seconds): cursor = cursor.failed(at: now, retryAfter: seconds)
            case .unreachable: cursor = cursor.failed(at: now, retryAfter: nil)
            }
            try await store(cursor, job)
            // Messages come in order: the next ones wait behind the failed one.
            if cursor.notBefore != nil { return }
        }
        // Skips what was muted when it happened, so that it does not come late after a change of the choices.
        if let last = state.waiting.last?.seq, last > cursor.seq { try await store(cursor.advanced(to: last), job) }
    }

    private func store(_ cursor: PushCursor, _ job: JobContext) async throws {
        let now = job.now
        try await job.commit { try CursorRepository.set(cursor, at: now, in: $0) }
    }

    /// The request context of the device's owner; `nil` if they may not read the list there.
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

    /// The message of one part. It says no more than the list.
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
    /// The changes that a device's owner may see, did not make and has not read, and that happened after the device was
    /// registered.
    fileprivate func waiting(
        _ recent: [LoggedChange], for device: PushDevice, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        let read = try NotificationRepository.read(by: device.personId, in: sql)
        let concerning = try concerning(recent, membership, in: sql)
        return concerning.filter { $0.at > device.registeredAt && !read.contains($0.seq) }
    }
}
