import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Settings > Audit trail: a filtered page of the trail, with links to verify and export it.
struct AuditScreen: Sendable {
    let trail: AuditTrail

    static let path = "/settings/audit"
    private static let pageSize = 50

    var routes: [ScreenRoute] {
        [ScreenRoute(Self.path, access: .member(.viewAudit), tab: "/settings", seen: Seen("audit.seen"), make)]
    }

    @Sendable
    private func make(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, context) = (request.words, request.context)
        let question = AuditFilter(
            actor: request.query["actor"].flatMap(UUID.init(text:)), group: request.query["group"],
            subject: request.query["subject"].flatMap(UUID.init(text:)),
            from: request.query["from"].flatMap { Day($0) }, until: request.query["until"].flatMap { Day($0) })
        let timeZone = try context.membership.timeZone
        let filter = try trail.filter(question, in: timeZone)
        let place = request.query["before"].flatMap { Int64($0) }
        let (lines, next) = try await context.school.read { sql in
            try trail.read(filter, before: place, limit: Self.pageSize, words: words, in: sql)
        }
        var body: [Component] = [.text(PTText(words("audit.subtitle"), role: .note))]
        body += try await loss(request)
        body += try await check(request)
        body.append(
            .links(
                PTLinks(links: [
                    .init(title: words("audit.check"), action: .open(Self.path(question, ["check": "1"]))),
                    .init(
                        title: words("audit.export"),
                        action: .external(Self.path(question, [:], to: ExportAuditTrail.contract.path))),
                ])))
        body += chips(question, lines, request)
        body.append(list(lines, next, question, timeZone, words))
        return .screen(Screen(title: words("audit.title"), body: body))
    }

    /// A warning about log entries that the school's file has lost, if a loss was found when it was opened.
    private func loss(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let schoolId = membership.organization.id
        guard
            let loss = try await request.context.directory.read({ try SchoolSeals.loss(of: schoolId, in: $0) })
        else { return [] }
        let day = words.longDate(Day(loss.foundAt, in: membership.timeZone))
        return [
            .banner(
                PTBanner(
                    tone: .danger, icon: .alert, title: words("audit.lost", Int(loss.first), Int(loss.last)),
                    message: words("audit.lostTip", day)))
        ]
    }

    private func check(_ request: ScreenRequest) async throws -> [Component] {
        guard request.query["check"] == "1" else { return [] }
        let words = request.words
        let report = try await ChangeLog.verify(request.context.school)
        if let broken = report.brokenAt {
            return [
                .banner(
                    PTBanner(
                        tone: .danger, icon: .alert, title: words("audit.broken", Int(broken)),
                        message: words("audit.brokenTip")))
            ]
        }
        let start = report.start.map { words("audit.chainStart", Int($0), Self.grouped(report.head)) }
        return [.banner(PTBanner(tone: .success, icon: .check, title: words("audit.intact"), message: start))]
    }

    /// The hash in groups of eight characters, which are easier to compare and can wrap.
    private static func grouped(_ hash: String) -> String {
        stride(from: 0, to: hash.utf8.count, by: 8).map { String(hash.dropFirst($0).prefix(8)) }
            .joined(separator: " ")
    }

    // MARK: - Filters

    private func chips(_ question: AuditFilter, _ lines: [AuditLine], _ request: ScreenRequest) -> [Component] {
        let words = request.words
        var chosen: [PTChips.Chip] = []
        func without(_ title: String, _ change: (inout AuditFilter) -> Void) {
            var other = question
            change(&other)
            chosen.append(.init(title: title, icon: .x, isSelected: true, action: .open(Self.path(other))))
        }
        if let actor = question.actor {
            let name = lines.first { $0.actorId == actor }?.actor ?? words("audit.thisPerson")
            without(words("audit.by", name)) { $0.actor = nil }
        }
        if let subject = question.subject {
            let name = lines.lazy.flatMap(\.subjects).first { $0.id == subject }?.name ?? words("audit.thisThing")
            without(words("audit.about", name)) { $0.subject = nil }
        }
        let today = request.context.today
        let spans = [
            ("audit.days.all", nil), ("audit.days.today", 0), ("audit.days.week", 6), ("audit.days.month", 29),
        ]
        let days = spans.map { title, back -> PTChips.Chip in
            var other = question
            other.from = back.map { today.adding(days: -$0) }
            other.until = nil
            return .init(
                title: words(title), isSelected: other.from == question.from && question.until == nil,
                action: .open(Self.path(other)))
        }
        let groups =
            [(nil, "audit.group.all"), (AuditFilter.views, "audit.group.seen")]
            + trail.groups.map { (Optional($0.id), $0.title) }
        let kinds = groups.map { id, title -> PTChips.Chip in
            var other = question
            other.group = id
            return .init(title: words(title), isSelected: id == question.group, action: .open(Self.path(other)))
        }
        return [
            .chips(
                PTChips(
                    label: words("audit.chosen"),
                    menus: [
                        .init(label: words("audit.days"), choices: days),
                        .init(label: words("audit.kinds"), choices: kinds),
                    ], chips: chosen))
        ]
    }

    /// The path with the filters as its query.
    private static func path(
        _ question: AuditFilter, _ more: [String: String] = [:], to path: String = AuditScreen.path
    ) -> String {
        var fields = more
        fields["actor"] = question.actor?.text
        fields["group"] = question.group
        fields["subject"] = question.subject?.text
        fields["from"] = question.from?.description
        fields["until"] = question.until?.description
        // Ids, days and block names need no escaping.
        let query = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    // MARK: - Entries

    private func list(
        _ lines: [AuditLine], _ next: Int64?, _ question: AuditFilter, _ timeZone: TimeZone, _ words: Words
    ) -> Component {
        let more = next.map {
            PTButton(
                title: words("audit.more"), role: .neutral,
                action: .open(Self.path(question, ["before": String($0)])))
        }
        guard !lines.isEmpty else {
            return .empty(
                PTEmptyState(
                    title: words(next == nil ? "audit.none" : "audit.noneYet"),
                    message: words(next == nil ? "audit.noneTip" : "audit.noneYetTip"), action: more))
        }
        return .list(
            PTList(
                cells: lines.map { cell($0, question, timeZone, words) }, label: words("audit.title"), more: more))
    }

    private func cell(
        _ line: AuditLine, _ question: AuditFilter, _ timeZone: TimeZone, _ words: Words
    ) -> PTListCell {
        var menu: [PTMenuItem] = []
        if let actor = line.actorId {
            var other = question
            other.actor = actor
            menu.append(.init(title: words("audit.by", line.actor), action: .open(Self.path(other))))
        }
        for subject in line.subjects {
            var other = question
            other.subject = subject.id
            menu.append(.init(title: words("audit.about", subject.name), action: .open(Self.path(other))))
        }
        return PTListCell(
            id: String(line.seq), title: line.sentence,
            subtitle: "\(line.actor) · \(words.dateAndTime(line.at, in: timeZone))",
            trailing: menu.isEmpty ? [] : [.menu], menu: menu)
    }
}
