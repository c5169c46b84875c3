import Domain
import FeatureKit
import Foundation

/// One entry of the log as people read it.
struct AuditLine: Codable, Sendable, Hashable {
    let seq: Int64
    let at: Date
    let actorId: UUID?
    /// The name that the person has now.
    let actor: String
    let kind: String
    /// What was done, in the reader's language.
    let sentence: String
    let hash: String
    /// The things that the sentence names, with their names.
    let subjects: [Subject]

    struct Subject: Codable, Sendable, Hashable {
        let id: UUID
        let name: String
    }
}

/// What the trail is asked.
struct AuditQuestion: Sendable, Hashable {
    /// Words that a group may have beside the blocks' names.
    static let sightings = "seen"

    var actor: UUID?
    /// A block's id, or `seen` for all that was looked at.
    var group: String?
    var subject: UUID?
    var from: Day?
    /// The last day that counts.
    var until: Day?
}

/// Tells the change log in sentences.
struct AuditTrail: Sendable {
    /// A block as a group of kinds.
    struct Group: Sendable, Hashable {
        let id: String
        let title: String
        let kinds: [String]
    }
    let groups: [Group]
    private let kinds: [String: AuditKind]
    private let names: [NameSource]

    init(_ features: [Feature]) {
        groups = features.compactMap { feature in
            feature.audit.title.map { Group(id: feature.id, title: $0, kinds: feature.audit.kinds.map(\.kind)) }
        }
        kinds = Dictionary(
            features.flatMap(\.audit.kinds).map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        names = features.flatMap(\.audit.names)
    }

    /// Whether the block knows a sentence for the kind.
    func knows(_ kind: String) -> Bool { kinds[kind] != nil }

    func filter(_ question: AuditQuestion, in timeZone: TimeZone) throws -> ChangeFilter {
        var filter = ChangeFilter()
        filter.actor = question.actor
        filter.subject = question.subject
        filter.from = question.from?.start(in: timeZone)
        filter.until = question.until?.adding(days: 1).start(in: timeZone)
        if question.group == AuditQuestion.sightings {
            filter.kinds = kinds.keys.filter { $0.hasSuffix(".seen") || $0.hasSuffix(".exported") }.sorted()
        } else if let id = question.group {
            guard let group = groups.first(where: { $0.id == id }) else { throw Problem.notFound }
            filter.kinds = group.kinds
        }
        return filter
    }

    /// A page of the trail, newest first, and where the next begins.
    func read(
        _ filter: ChangeFilter, before seq: Int64?, limit: Int, words: Words, in sql: any SQLReading
    ) throws -> (lines: [AuditLine], next: Int64?) {
        let (found, next) = try ChangeLog.search(filter, before: seq, limit: limit, in: sql)
        return (try tell(found, words, in: sql), next)
    }

    private func tell(_ found: [LoggedChange], _ words: Words, in sql: any SQLReading) throws -> [AuditLine] {
        var wanted: [String: Set<UUID>] = ["person": Set(found.compactMap(\.actorId))]
        for logged in found {
            for case .name(let key, let sort) in kinds[logged.change.kind]?.parts ?? [] {
                if let id = logged.change.payload[key].flatMap(UUID.init(text:)) {
                    wanted[sort, default: []].insert(id)
                }
            }
        }
        var known: [UUID: String] = [:]
        for source in names {
            let ids = (wanted[source.sort] ?? []).sorted { $0.text < $1.text }
            for start in stride(from: 0, to: ids.count, by: SQL.valueLimit) {
                let portion = Array(ids[start..<min(start + SQL.valueLimit, ids.count)])
                try known.merge(source.find(portion, sql)) { first, _ in first }
            }
        }
        return found.map { line($0, known, words) }
    }

    private func line(_ logged: LoggedChange, _ known: [UUID: String], _ words: Words) -> AuditLine {
        let payload = logged.change.payload
        var subjects: [AuditLine.Subject] = []
        let told = (kinds[logged.change.kind]?.parts ?? []).map { part -> any WordsArgument in
            switch part {
            case .name(let key, let sort):
                guard let id = payload[key].flatMap(UUID.init(text:)) else { return gone(sort, words) }
                let name = known[id] ?? gone(sort, words)
                subjects.append(.init(id: id, name: name))
                return name
            case .word(let key, let prefix):
                let value = payload[key] ?? ""
                return words.has(prefix + value) ? words(prefix + value) : value
            case .value(let key):
                let value = payload[key] ?? ""
                return Day(value).map(words.longDate) ?? value
            }
        }
        return AuditLine(
            seq: logged.seq, at: logged.at, actorId: logged.actorId,
            actor: logged.actorId.map { known[$0] ?? gone("person", words) } ?? words("audit.system"),
            kind: logged.change.kind,
            sentence: kinds[logged.change.kind].map { words.text($0.sentence, told) }
                ?? words("audit.other", logged.change.kind),
            hash: logged.hash, subjects: subjects)
    }

    private func gone(_ sort: String, _ words: Words) -> String {
        sort == "person" ? words("audit.removed.person") : words("audit.removed.thing")
    }
}
