import Domain
import FeatureKit
import Foundation

/// An entry of the audit log for display.
struct AuditLine: Codable, Sendable, Hashable {
    let seq: Int64
    let at: Date
    let actorId: UUID?
    /// The person's current name.
    let actor: String
    let kind: String
    /// The change as a sentence in the reader's language.
    let sentence: String
    let hash: String
    /// The things that the sentence names.
    let subjects: [Subject]

    /// A thing and its name.
    struct Subject: Codable, Sendable, Hashable {
        let id: UUID
        let name: String
    }
}

/// The filters of the audit log.
struct AuditFilter: Sendable, Hashable {
    /// The group of all views and exports.
    static let views = "seen"

    var actor: UUID?
    /// A block's id, or `seen` for views and exports.
    var group: String?
    var subject: UUID?
    var from: Day?
    /// The last day, inclusive.
    var until: Day?
}

/// Formats the change log as sentences.
struct AuditTrail: Sendable {
    /// A block and its kinds of change.
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

    /// Whether there is a sentence for the kind.
    func knows(_ kind: String) -> Bool { kinds[kind] != nil }

    /// The change log's filter for the filters of a request. Throws `Problem.notFound` for an unknown group.
    func filter(_ question: AuditFilter, in timeZone: TimeZone) throws -> ChangeFilter {
        var filter = ChangeFilter()
        filter.actor = question.actor
        filter.subject = question.subject
        filter.from = question.from?.start(in: timeZone)
        filter.until = question.until?.adding(days: 1).start(in: timeZone)
        if question.group == AuditFilter.views {
            filter.kinds = kinds.keys.filter { $0.hasSuffix(".seen") || $0.hasSuffix(".exported") }.sorted()
        } else if let id = question.group {
            guard let group = groups.first(where: { $0.id == id }) else { throw Problem.notFound }
            filter.kinds = group.kinds
        }
        return filter
    }

    /// A page of the trail, the newest entry first, and the start of the next page.
    func read(
        _ filter: ChangeFilter, before seq: Int64?, limit: Int, words: Words, in sql: any SQLReading
    ) throws -> (lines: [AuditLine], next: Int64?) {
        let (found, next) = try ChangeLog.search(filter, before: seq, limit: limit, in: sql)
        return (try lines(for: found, words, in: sql), next)
    }

    private func lines(for found: [LoggedChange], _ words: Words, in sql: any SQLReading) throws -> [AuditLine] {
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
            let ids = (wanted[source.sort] ?? []).sorted()
            for list in SQL.lists(of: ids) {
                try known.merge(source.find(Array(list), sql)) { first, _ in first }
            }
        }
        return found.map { line($0, known, words) }
    }

    private func line(_ logged: LoggedChange, _ known: [UUID: String], _ words: Words) -> AuditLine {
        let payload = logged.change.payload
        var subjects: [AuditLine.Subject] = []
        let arguments = (kinds[logged.change.kind]?.parts ?? []).map { part -> any WordsArgument in
            switch part {
            case .name(let key, let sort):
                guard let id = payload[key].flatMap(UUID.init(text:)) else { return removedName(sort, words) }
                let name = known[id] ?? removedName(sort, words)
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
            actor: logged.actorId.map { known[$0] ?? removedName("person", words) } ?? words("audit.system"),
            kind: logged.change.kind,
            sentence: kinds[logged.change.kind].map { words.text($0.sentence, arguments) }
                ?? words("audit.other", logged.change.kind),
            hash: logged.hash, subjects: subjects)
    }

    private func removedName(_ sort: String, _ words: Words) -> String {
        sort == "person" ? words("audit.removed.person") : words("audit.removed.thing")
    }
}
