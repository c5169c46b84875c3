import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The page of Settings about the space that files take: the school's use, the limits, and the use by person.
struct StorageScreen: Sendable {
    static let path = "/settings/storage"
    /// The limits that the form offers for each student, in megabytes.
    private static let personChoices = [256, 512] + [1, 2, 5, 10, 20, 50].map { $0 << 10 }
    /// The limits that the form offers for the school, in megabytes.
    private static let schoolChoices = [5, 10, 20, 50, 100, 200, 500, 1000].map { $0 << 10 }

    let people: any PeopleService

    var navigation: NavigationEntry {
        NavigationEntry(
            .school, "coursework.storage.title", icon: .file, path: Self.path, order: 70, permission: .manageStorage
        )
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.manageStorage), tab: "/settings") { request in
            .screen(try await screen(request))
        }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let text = WorkWords(of: request.context)
        let (report, known) = try await request.context.school.read { sql in
            let report = try StorageRepository.report(in: sql)
            return (
                report,
                try people.people(report.people.map(\.personId), of: membership.organization.id, in: sql)
            )
        }
        let limits = report.limits
        let form = try await request.form(
            SetStorageLimits.self, id: "limits", of: limits.version, savedBy: [StorageHandlers.changed],
            membership.organization.id,
            fields: [
                field("personMegabytes", limits.personMegabytes, Self.personChoices, text),
                field("schoolMegabytes", limits.schoolMegabytes, Self.schoolChoices, text),
            ], submit: SubmitButton(title: words("coursework.storage.save")), style: .card)
        var body: [Component] = [
            .greeting(text.storage(report.school, eyebrow: words("coursework.storage.school")))
        ]
        if let banner = text.storageBanner(school: report.school) { body.append(banner) }
        body += form
        let cells = report.people.map { one in
            let person = known[one.personId]
            let use = StorageUse(usedBytes: one.bytes, limitMegabytes: limits.personMegabytes)
            return PTListCell(
                id: one.personId.text, leading: person.map { .avatar(PTAvatar($0)) },
                title: person?.name.display ?? words("coursework.someone"),
                subtitle: words("coursework.files.count", one.files),
                trailing: [.badge(PTTag(text: text.size(one.bytes), tone: use.isNear ? .warning : .neutral))])
        }
        body.append(
            .section(
                PTSection(
                    title: words("coursework.storage.people"),
                    body: [
                        cells.isEmpty
                            ? .empty(
                                PTEmptyState(
                                    icon: .file, title: words("coursework.noOwnFiles"),
                                    message: words("coursework.storage.none")))
                            : .list(PTList(cells: cells, label: words("coursework.storage.people")))
                    ])))
        return Screen(
            title: words("coursework.storage.title"), back: "/settings", live: [StorageHandlers.topic], body: body)
    }

    private func field(_ name: String, _ value: Int?, _ choices: [Int], _ text: WorkWords) -> PTField {
        let all = Set(choices).union([value].compactMap(\.self)).sorted()
        let none = PTField.Option(value: "0", title: text.words("coursework.storage.noLimit"))
        return PTField(
            .select(all.map { .init(value: String($0), title: text.size($0 << 20)) } + [none]), name: name,
            label: text.words("coursework.storage.\(name)"), value: String(value ?? 0), width: .half)
    }
}

extension WorkWords {
    /// The space that files take: "1.4 GB of 2 GB" with a bar.
    func storage(_ use: StorageUse, eyebrow: String) -> PTGreeting {
        guard let limit = use.limitBytes else {
            return PTGreeting(eyebrow: eyebrow, title: words("coursework.storage.used", size(use.usedBytes)))
        }
        let title = words("coursework.storage.usedOf", size(use.usedBytes), size(limit))
        let (used, total) = (min(use.usedBytes, limit) >> 10, limit >> 10)
        return PTGreeting(
            eyebrow: eyebrow, title: title,
            split: PTSplitBar(
                parts: [.init(count: used, tint: use.isNear ? .berry : .leaf)], total: total, spoken: title))
    }

    /// A warning for a student whose space, or the school's, is nearly used; `nil` while there is enough.
    func storageBanner(person: StorageUse? = nil, school: StorageUse) -> Component? {
        guard let (key, use) = [("person", person), ("school", school)].first(where: { $0.1?.isNear ?? false }),
            let use, let limit = use.limitBytes
        else { return nil }
        let state = use.isFull ? "full" : "near"
        return .banner(
            PTBanner(
                tone: use.isFull ? .danger : .warning, icon: .alert,
                title: words("coursework.storage.\(key).\(state)", size(limit), words.percent(use.percent ?? 0)),
                message: words(
                    person == nil ? "coursework.storage.adminTip" : "coursework.storage.\(key)Tip")))
    }
}
