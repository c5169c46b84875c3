import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of Settings > Curriculum: the lists, the materials of a subject, and the form of an entry.
struct CurriculumScreens: Sendable {
    let taxonomy: SchoolTaxonomy

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/settings/curriculum", access: .member(.recordProgress), tab: "/settings", lists),
            ScreenRoute(
                "/settings/curriculum/{entryId}", access: .member(.recordProgress), tab: "/settings", materials),
            ScreenRoute(
                "/settings/curriculum/{entryId}/edit", access: .member(.manageCurriculum), tab: "/settings", edit),
        ]
    }

    static let home = "/settings/curriculum"

    /// The subjects with links to their materials, and the apps.
    @Sendable
    private func lists(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let curriculum = try await request.context.school.read { try taxonomy.curriculum(in: $0) }
        let mayManage = request.context.caller.may(.manageCurriculum)
        func add(_ sheet: String, _ key: String) -> PTButton? {
            mayManage ? PTButton(title: words(key), icon: .plus, role: .quiet, action: .present(sheet)) : nil
        }
        let apps = curriculum.list(.app)
        let search = MaterialSearch(request)
        guard search.isEmpty else {
            let found = search.found(
                among: curriculum.list(.subject).flatMap { curriculum.list(.material, of: $0.id) })
            return .screen(
                Screen(
                    title: words("curriculum.title"), back: "/settings", live: ["curriculum"],
                    body: [
                        .search(search.field(Self.home)),
                        found.isEmpty
                            ? search.emptyState
                            : .list(
                                PTList(
                                    cells: found.map { material in
                                        var cell = cell(material, at: 0, of: [material], curriculum, request)
                                        cell.subtitle = [
                                            material.subjectId.flatMap { curriculum[$0]?.name(in: words.language) },
                                            cell.subtitle,
                                        ].compactMap(\.self).joined(separator: " · ")
                                        return cell
                                    }, label: words("curriculum.title"))),
                    ]))
        }
        return .screen(
            Screen(
                title: words("curriculum.title"), back: "/settings", live: ["curriculum"],
                body: [
                    .search(search.field(Self.home)),
                    .section(
                        PTSection(
                            title: words("curriculum.subjects"),
                            action: add("new-subject", "curriculum.addSubject"),
                            body: [.list(list(curriculum.list(.subject), curriculum, request))])),
                    .section(
                        PTSection(
                            title: words("curriculum.apps"), action: add("new-app", "curriculum.addApp"),
                            body: [
                                apps.isEmpty
                                    ? .text(PTText(words("curriculum.noApps"), role: .note))
                                    : .list(list(apps, curriculum, request))
                            ])),
                ],
                sheets: mayManage
                    ? [
                        adding(.subject, "new-subject", "curriculum.addSubject", request),
                        adding(.app, "new-app", "curriculum.addApp", request),
                    ] : []))
    }

    /// The materials of a subject in their sequence.
    @Sendable
    private func materials(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("entryId")
        let curriculum = try await request.context.school.read { try taxonomy.curriculum(in: $0) }
        let subject = try curriculum.entry(id, .subject)
        let mayManage = request.context.caller.may(.manageCurriculum)
        let all = curriculum.list(.material, of: id)
        let search = MaterialSearch(request)
        let found = search.found(among: all)
        var body: [Component] = []
        if all.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        title: words("curriculum.noMaterials"), message: words("curriculum.noMaterialsTip"))))
        } else {
            body.append(.search(search.field(request.path)))
            // Each cell keeps its index in the whole list, which its menu needs for moving.
            let cells = all.indices.filter { found.contains(all[$0]) }.map { place in
                var cell = cell(all[place], at: place, of: all, curriculum, request)
                if !search.isEmpty { cell.move = nil }
                return cell
            }
            body.append(
                cells.isEmpty ? search.emptyState : .list(PTList(cells: cells, label: words("curriculum.title"))))
        }
        return .screen(
            Screen(
                title: subject.name(in: words.language), back: Self.home, live: ["curriculum"],
                body: body,
                floatingButton: mayManage
                    ? PTFloatingActionButton(
                        title: words("curriculum.addMaterial"),
                        action: .present("new-material"))
                    : nil,
                sheets: mayManage
                    ? [adding(.material, "new-material", "curriculum.addMaterial", of: subject, request)] : [],
                listPath: Self.home))
    }

    private func list(_ entries: [CurriculumEntry], _ curriculum: Curriculum, _ request: ScreenRequest) -> PTList {
        PTList(
            cells: entries.indices.map { cell(entries[$0], at: $0, of: entries, curriculum, request) },
            label: request.words("curriculum.title"))
    }

    private func cell(
        _ entry: CurriculumEntry, at place: Int, of list: [CurriculumEntry], _ curriculum: Curriculum,
        _ request: ScreenRequest
    ) -> PTListCell {
        let words = request.words
        let mayManage = request.context.caller.may(.manageCurriculum)
        let edit = "\(Self.home)/\(entry.id.text)/edit"
        let path =
            entry.kind == .subject ? "\(Self.home)/\(entry.id.text)" : mayManage ? edit : nil
        return PTListCell(
            id: entry.id.text, title: entry.name(in: words.language),
            subtitle: subtitle(of: entry, curriculum, words),
            trailing: (entry.isHidden ? [.badge(PTTag(text: words("curriculum.isHidden")))] : [])
                + (mayManage ? [.menu] : path == nil ? [] : [.chevron]),
            action: path.map { .open($0) },
            menu: mayManage ? menu(entry, at: place, of: list, edit, request) : [],
            move: mayManage && list.count > 1 ? request.call(MoveEntry.self, ["entryId": entry.id.text]) : nil)
    }

    private func subtitle(of entry: CurriculumEntry, _ curriculum: Curriculum, _ words: Words) -> String? {
        switch entry.kind {
        case .subject:
            return words(
                "curriculum.materialCount", curriculum.list(.material, of: entry.id).count { !$0.isHidden })
        case .app: return nil
        case .material:
            let before = entry.requires.compactMap { curriculum[$0]?.name(in: words.language) }
            let parts = [
                entry.band.map { words("curriculum.band.\($0.rawValue)") },
                before.isEmpty ? nil : words("curriculum.after", before.joined(separator: ", ")),
            ].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: " · ")
        }
    }

    private func menu(
        _ entry: CurriculumEntry, at place: Int, of list: [CurriculumEntry], _ edit: String,
        _ request: ScreenRequest
    ) -> [PTMenuItem] {
        let words = request.words
        let ids = ["entryId": entry.id.text]
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            PTMenuItem(
                title: words(key), icon: icon,
                action: .perform(
                    request.call(MoveEntry.self, ids, fields: before.map { ["before": $0.text] } ?? [:])))
        }
        var items = [PTMenuItem(title: words("curriculum.edit"), icon: .edit, action: .open(edit))]
        if place > 0 { items.append(move("curriculum.moveUp", .arrowUp, before: list[place - 1].id)) }
        if place < list.count - 1 {
            items.append(
                move("curriculum.moveDown", .arrowDown, before: place + 2 < list.count ? list[place + 2].id : nil))
        }
        items.append(
            PTMenuItem(
                title: words(entry.isHidden ? "curriculum.restore" : "curriculum.hide"),
                icon: entry.isHidden ? .eye : .minus,
                action: .perform(
                    request.call(HideEntry.self, ids, fields: ["hidden": entry.isHidden ? "false" : "true"]))))
        return items
    }

    private func adding(
        _ kind: TagKind, _ id: String, _ key: String, of subject: CurriculumEntry? = nil, _ request: ScreenRequest
    ) -> PTBottomSheet {
        let words = request.words
        let here = subject.map { "\(Self.home)/\($0.id.text)" } ?? Self.home
        var fields = names(nil, words) + [.hidden("kind", kind.rawValue)]
        if let subject { fields += [band(nil, words), .hidden("subjectId", subject.id.text)] }
        return PTBottomSheet(
            id: id, title: words(key),
            body: [
                .form(
                    request.form(
                        AddEntry.self, id: "\(id)-form", fields: fields, submit: SubmitButton(title: words(key)),
                        to: here))
            ])
    }

    /// The form of an entry: its names, and a material's ages and prerequisites.
    @Sendable
    private func edit(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("entryId")
        let curriculum = try await request.context.school.read { try taxonomy.curriculum(in: $0) }
        let entry = try curriculum.entry(id)
        let back = entry.subjectId.map { "\(Self.home)/\($0.text)" } ?? Self.home
        var fields = names(entry, words)
        if entry.kind == .material {
            fields.append(band(entry.band, words))
            // Materials of other subjects appear only if they are chosen already: a list of all would be too long.
            let others = entry.requires.compactMap { curriculum[$0] }.filter { $0.subjectId != entry.subjectId }
            let offered = others + curriculum.list(.material, of: entry.subjectId)
            fields.append(
                PTField(
                    .multipleChoice(
                        offered.filter { $0.id != id && (!$0.isHidden || entry.requires.contains($0.id)) }.map {
                            .init(value: $0.id.text, title: $0.name(in: words.language))
                        }), name: "requires", label: words("curriculum.comesAfter"),
                    values: entry.requires.map(\.text), hint: words("curriculum.comesAfterHint")))
        }
        let theirs = try await request.savedMeanwhile(
            "curriculum.changed", ["curriculum.updated"], of: id, fields)
        return .screen(
            Screen(
                title: entry.name(in: words.language), back: back, live: ["curriculum"],
                body: theirs + [
                    .form(
                        request.form(
                            UpdateEntry.self, ["entryId": id.text], id: "edit-entry",
                            fields: fields + [.version(entry.version)],
                            submit: SubmitButton(title: words("curriculum.save")), to: back, style: .card))
                ], listPath: back))
    }

    private func names(_ entry: CurriculumEntry?, _ words: Words) -> [PTField] {
        [
            PTField(
                name: "name", label: words("curriculum.name"), value: entry?.name ?? "", isRequired: true,
                autocomplete: "off", maxLength: 80),
            PTField(
                name: "nameFrench", label: words("curriculum.nameFrench"), value: entry?.nameFrench ?? "",
                hint: words("curriculum.nameFrenchHint"), autocomplete: "off", maxLength: 80),
        ]
    }

    private func band(_ band: AgeBand?, _ words: Words) -> PTField {
        PTField(
            .choice(
                AgeBand.allCases.map { .init(value: $0.rawValue, title: words("curriculum.band.\($0.rawValue)")) }),
            name: "band", label: words("curriculum.ages"), value: band?.rawValue ?? "")
    }
}

/// A search for materials by their names in both languages.
struct MaterialSearch {
    private let words: Words
    private let query: String

    init(_ request: ScreenRequest) {
        words = request.words
        query = String((request.query["q"] ?? "").prefix(80)).trimmingCharacters(in: .whitespaces)
    }

    var isEmpty: Bool { query.isEmpty }

    /// The search field.
    ///
    /// - Parameter keeping: Query parameters to keep.
    func field(_ path: String, keeping: [String: String] = [:]) -> PTSearchField {
        PTSearchField(
            path: path, value: query, placeholder: words("curriculum.search"), label: words("curriculum.search"),
            keeping: keeping)
    }

    /// The materials whose English or French name contains the query.
    func found(among materials: [CurriculumEntry]) -> [CurriculumEntry] {
        guard !isEmpty else { return materials }
        let wanted = NameFolding.fold(query)
        return materials.filter { material in
            [material.name, material.nameFrench].compactMap(\.self).contains {
                NameFolding.fold($0).contains(wanted)
            }
        }
    }

    /// The message for a search without results.
    var emptyState: Component {
        .empty(
            PTEmptyState(
                icon: .search, title: words("curriculum.notFound"), message: words("curriculum.notFoundTip")))
    }
}
