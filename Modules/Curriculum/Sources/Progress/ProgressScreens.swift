import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The pages of progress: the grid of a class, the list of a child, and the form to record.
struct ProgressScreens: Sendable {
    let taxonomy: SchoolTaxonomy
    let classrooms: any ClassroomService
    let students: any StudentService
    let suggestions: SuggestionHandlers

    var routes: [ScreenRoute] {
        [
            ScreenRoute(
                "/classrooms/{classroomId}/progress", access: .member(.recordProgress), tab: "/homeroom", classGrid),
            ScreenRoute(
                "/students/{studentId}/materials", access: .member(.recordProgress), tab: "/homeroom",
                seen: Seen("student.seen", "studentId"), child),
            ScreenRoute(
                "/students/{studentId}/materials/{materialId}", access: .member(.recordProgress), tab: "/homeroom",
                seen: Seen("student.seen", "studentId"), material),
        ]
    }

    // MARK: - A class

    @Sendable
    private func classGrid(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let view = ProgressView(request, classroomId: id)
        let (classroom, children, curriculum, materials, progress) = try await request.context.school.read { sql in
            let classroom = try classrooms.classroom(id, visibleTo: membership, in: sql)
            let curriculum = try taxonomy.curriculum(in: sql)
            let materials = curriculum.materials(of: view.subject(in: curriculum)?.id, view.band)
            let children = try students.students(of: id, orgId: membership.organization.id, in: sql)
            return (
                classroom, children, curriculum, materials,
                try ProgressRepository.states(of: children.map(\.id), materials.map(\.id), in: sql)
            )
        }
        var body: [Component] = [subjects(of: view, curriculum, request), bands(of: view, curriculum, request)]
        if children.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        title: words("curriculum.noChildren"), message: words("curriculum.noChildrenTip"))))
        } else if materials.isEmpty {
            body.append(nothingToPresent(request))
        } else {
            body.append(.progressGrid(grid(children, materials, progress, view, words)))
        }
        return .screen(
            Screen(
                title: words("curriculum.progress"), subtitle: classroom.name, back: "/classrooms/\(id.text)",
                live: ["classroom:\(id.text)", ProgressHandlers.topic(id), "curriculum"], body: body))
    }

    private func grid(
        _ children: [Student], _ materials: [CurriculumEntry],
        _ progress: [(studentId: UUID, materialId: UUID, state: ProgressState)], _ view: ProgressView,
        _ words: Words
    ) -> PTProgressGrid {
        let columns = Dictionary(uniqueKeysWithValues: materials.enumerated().map { ($1.id, $0) })
        let none = [PTProgressGrid.Level](repeating: .none, count: materials.count)
        var levels = Dictionary(children.map { ($0.id, none) }, uniquingKeysWith: { first, _ in first })
        for one in progress {
            if let column = columns[one.materialId] { levels[one.studentId]?[column] = one.state.level }
        }
        return PTProgressGrid(
            label: words("curriculum.gridLabel"), corner: words("curriculum.child"),
            columns: materials.map { .init(id: $0.id.text, title: $0.name(in: words.language)) },
            rows: children.map {
                .init(
                    id: $0.id.text, title: $0.displayName, action: .open("/students/\($0.id.text)/materials"),
                    levels: levels[$0.id] ?? none)
            },
            titles: ProgressState.allCases.map { words("curriculum.state.\($0.rawValue)") },
            path: "/students/{row}/materials/{column}\(view.query)")
    }

    private func subjects(
        of view: ProgressView, _ curriculum: Curriculum, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        let chosen = view.subject(in: curriculum)?.id
        return .chips(
            PTChips(
                label: words("curriculum.subject"),
                chips: curriculum.offered.filter { $0.kind == .subject }.map { subject in
                    .init(
                        title: subject.name(in: words.language), isSelected: subject.id == chosen,
                        action: .open(request.path + view.filter(subject: subject.id, view.band)))
                }))
    }

    private func bands(of view: ProgressView, _ curriculum: Curriculum, _ request: ScreenRequest) -> Component {
        let words = request.words
        let chosen = view.subject(in: curriculum)?.id
        return .segments(
            PTSegmentedControl(
                label: words("curriculum.ages"),
                segments: ([nil] + AgeBand.allCases.map(Optional.some)).map { band in
                    .init(
                        title: words(band.map { "curriculum.band.\($0.rawValue)" } ?? "curriculum.band.all"),
                        path: request.path + view.filter(subject: chosen, band), isSelected: band == view.band)
                }))
    }

    private func nothingToPresent(_ request: ScreenRequest) -> Component {
        let words = request.words
        return .empty(
            PTEmptyState(
                title: words("curriculum.noMaterials"), message: words("curriculum.noMaterialsTip"),
                action: request.context.caller.may(.manageCurriculum)
                    ? PTButton(title: words("curriculum.title"), action: .open("/settings/curriculum")) : nil))
    }

    // MARK: - A child

    @Sendable
    private func child(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let (student, curriculum, progress, suggested) = try await loadProgress(of: request)
        let view = ProgressView(request, classroomId: nil)
        let search = MaterialSearch(request)
        // A search covers all subjects.
        let materials =
            search.isEmpty
            ? curriculum.materials(of: view.subject(in: curriculum)?.id, view.band)
            : search.found(among: curriculum.materials())
        let cells = materials.map { material in
            cell(material, progress[material.id], of: student.id, view.query, words)
        }
        var body: [Component] = [.search(search.field(request.path, keeping: view.fields(in: curriculum)))]
        if search.isEmpty {
            body += [subjects(of: view, curriculum, request), bands(of: view, curriculum, request)]
        }
        if !suggested.isEmpty {
            let cards = suggested.map { card($0, for: student.id, request) }
            body.insert(.disclosure(PTDisclosure(title: words("curriculum.whatsNext"), body: cards)), at: 0)
        }
        body.append(
            !cells.isEmpty
                ? .list(PTList(cells: cells, columns: .two, label: words("curriculum.materials")))
                : search.isEmpty ? nothingToPresent(request) : search.emptyState)
        return .screen(
            Screen(
                title: words("curriculum.materials"), subtitle: student.displayName,
                back: "/students/\(student.id.text)", live: ["student:\(student.id.text)", "curriculum"], body: body
            ))
    }

    /// The progress section of the child's page: current work, counts per subject, and suggestions.
    func section(of studentId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let words = request.words
        let (curriculum, progress, suggested) = try await loadProgress(of: studentId, request)
        let current = curriculum.materials().compactMap { material -> (CurriculumEntry, MaterialProgress)? in
            guard let now = progress[material.id], [.presented, .practicing].contains(now.state) else { return nil }
            return (material, now)
        }.enumerated().sorted {
            ($1.element.1.day, $0.offset) < ($0.element.1.day, $1.offset)
        }.prefix(Self.mostCurrent).map(\.element)
        let counts = curriculum.offered.filter { $0.kind == .subject }.compactMap { subject in
            count(curriculum.materials(of: subject.id), progress, words).map {
                PTDefinitionList.Item(term: subject.name(in: words.language), value: $0)
            }
        }
        var body: [Component] = []
        if !current.isEmpty {
            body.append(
                .list(
                    PTList(
                        cells: current.map { cell($0, $1, of: studentId, "", words) },
                        label: words("curriculum.materials"))))
        }
        if !counts.isEmpty { body.append(.definitionList(PTDefinitionList(items: counts))) }
        if body.isEmpty { body.append(.text(PTText(words("curriculum.nothingYet"), role: .note))) }
        let all = PTButton(
            title: words("curriculum.allMaterials"), role: .quiet,
            action: .open("/students/\(studentId.text)/materials"))
        var parts: [Component] = [
            .section(PTSection(title: words("curriculum.materials"), action: all, body: body))
        ]
        if !suggested.isEmpty {
            let cards = suggested.map { card($0, for: studentId, request) }
            parts.append(.section(PTSection(title: words("curriculum.whatsNext"), body: cards)))
        }
        return parts
    }

    /// The most materials of current work.
    static let mostCurrent = 6

    /// The counts per state, such as "Presented: 3 · Mastered: 8", or `nil` if nothing was begun.
    private func count(
        _ materials: [CurriculumEntry], _ progress: [UUID: MaterialProgress], _ words: Words
    ) -> String? {
        let states = materials.compactMap { progress[$0.id]?.state }
        let parts = ProgressState.allCases.dropFirst().compactMap { state -> String? in
            let count = states.count { $0 == state }
            return count == 0
                ? nil : words("curriculum.count", words("curriculum.state.\(state.rawValue)"), count)
        }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }

    private func cell(
        _ material: CurriculumEntry, _ progress: MaterialProgress?, of studentId: UUID, _ query: String,
        _ words: Words
    ) -> PTListCell {
        let state = progress?.state ?? .notStarted
        return PTListCell(
            id: material.id.text, title: material.name(in: words.language),
            subtitle: state == .notStarted ? nil : progress.map { words.longDate($0.day) },
            trailing: [
                .badge(PTTag(text: words("curriculum.state.\(state.rawValue)"), tone: state.tone)), .chevron,
            ],
            action: .open("/students/\(studentId.text)/materials/\(material.id.text)\(query)"))
    }

    // MARK: - What's next

    private func card(
        _ one: MaterialSuggestion, for studentId: UUID, _ request: ScreenRequest
    ) -> Component {
        let words = request.words
        let ids = ["studentId": studentId.text, "materialId": one.materialId.text]
        var body: [Component] = [
            .text(PTText(one.name, role: .heading)),
            .text(
                PTText(
                    one.because.isEmpty
                        ? words("curriculum.firstStep", one.subject)
                        : one.because.map { words.reason($0.name, $0.state, $0.day) }.joined(separator: "\n"),
                    role: .note)),
        ]
        let observations = one.because.flatMap(\.observations)
        if !observations.isEmpty {
            body.append(
                .links(
                    PTLinks(
                        links: observations.map {
                            .init(
                                title: words("curriculum.observation", words.longDate($0.day), $0.excerpt),
                                action: .open("/students/\(studentId.text)#observation-\($0.id.text)"))
                        })))
        }
        body.append(
            .buttons(
                PTButtonGroup(buttons: [
                    PTButton(
                        title: words("curriculum.accept"), icon: .plus, role: .tonal,
                        action: .perform(request.call(AcceptSuggestion.self, ids)),
                        spoken: words("curriculum.acceptNamed", one.name)),
                    PTButton(
                        title: words("curriculum.dismiss"), role: .quiet,
                        action: .perform(request.call(DismissSuggestion.self, ids)),
                        spoken: words("curriculum.dismissNamed", one.name)),
                ])))
        return .card(PTCard(label: one.name, body: body))
    }

    // MARK: - Recording

    @Sendable
    private func material(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("studentId")
        let materialId = try request.id("materialId")
        let membership = try request.context.membership
        let (student, curriculum, material, progress, history) = try await request.context.school.read { sql in
            let student = try students.student(id, visibleTo: membership, in: sql)
            let curriculum = try taxonomy.curriculum(in: sql)
            return (
                student, curriculum, try curriculum.entry(materialId, .material),
                try ProgressRepository.progress(of: id, in: sql),
                try ProgressRepository.history(of: id, materialId, in: sql)
            )
        }
        let view = ProgressView(request, classroomId: request.query["classroom"].flatMap(UUID.init(text:)))
        let back = view.back(from: student.id, material.subjectId)
        // The class's grid opens at the same field.
        let after = view.classroomId == nil ? back : "\(back)#f-\(id.text)-\(materialId.text)"
        let now = progress[materialId]?.state ?? .notStarted
        let ids = ["studentId": id.text, "materialId": materialId.text]
        var body: [Component] = [
            .text(
                PTText(
                    progress[materialId].map {
                        words(
                            "curriculum.now", words("curriculum.state.\($0.state.rawValue)"), words.longDate($0.day)
                        )
                    } ?? words("curriculum.state.notStarted"), role: .note)),
            .buttons(
                PTButtonGroup(
                    buttons: ProgressState.allCases.map { state in
                        let title = words("curriculum.state.\(state.rawValue)")
                        return PTButton(
                            title: title, icon: state == now ? .check : nil,
                            role: state == now.next ? .primary : state == now ? .tonal : .outlined, size: .large,
                            isWide: true,
                            action: .perform(
                                request.call(
                                    RecordProgress.self, ids, fields: ["state": state.rawValue], to: after,
                                    haptics: .success())),
                            spoken: state == now ? words("curriculum.isNow", title) : nil)
                    }, arrangement: .stack)),
            .disclosure(
                PTDisclosure(
                    title: words("curriculum.earlier"),
                    body: [.form(earlier(ids, next: now.next ?? now, to: after, request))],
                    isOpen: request.refused != nil)),
        ]
        let before = material.requires.compactMap { curriculum[$0] }
        if !before.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("curriculum.comesAfter"),
                        body: [
                            .list(
                                PTList(
                                    cells: before.map {
                                        cell($0, progress[$0.id], of: id, view.query, words)
                                    }))
                        ])))
        }
        if !history.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("curriculum.history"),
                        body: [
                            .definitionList(
                                PTDefinitionList(
                                    items: history.map {
                                        .init(
                                            term: words.longDate($0.day),
                                            value: words("curriculum.state.\($0.state.rawValue)"))
                                    }))
                        ])))
        }
        return .screen(
            Screen(
                title: material.name(in: words.language), subtitle: student.displayName, back: back,
                live: ["student:\(id.text)", "curriculum"], body: body))
    }

    private func earlier(
        _ ids: [String: String], next: ProgressState, to back: String, _ request: ScreenRequest
    ) -> PTForm {
        let words = request.words
        return request.form(
            RecordProgress.self, ids, id: "record-earlier",
            fields: [
                PTField(
                    .date, name: "day", label: words("curriculum.day"), value: request.context.today.description,
                    isRequired: true),
                PTField(
                    .select(
                        ProgressState.allCases.map {
                            .init(value: $0.rawValue, title: words("curriculum.state.\($0.rawValue)"))
                        }), name: "state", label: words("curriculum.stateLabel"), value: next.rawValue,
                    isRequired: true),
            ], submit: SubmitButton(title: words("curriculum.recordIt"), role: .tonal), to: back)
    }

    // MARK: - Reading

    private func loadProgress(
        of request: ScreenRequest
    ) async throws -> (Student, Curriculum, [UUID: MaterialProgress], [MaterialSuggestion]) {
        let id = try request.id("studentId")
        let membership = try request.context.membership
        let student = try await request.context.school.read {
            try students.student(id, visibleTo: membership, in: $0)
        }
        let (curriculum, progress, suggested) = try await loadProgress(of: id, request)
        return (student, curriculum, progress, suggested)
    }

    private func loadProgress(
        of studentId: UUID, _ request: ScreenRequest
    ) async throws -> (Curriculum, [UUID: MaterialProgress], [MaterialSuggestion]) {
        let (now, language) = (request.context.now, request.words.language)
        let timeZone = try request.context.membership.timeZone
        return try await request.context.school.read { sql in
            let curriculum = try taxonomy.curriculum(in: sql)
            let progress = try ProgressRepository.progress(of: studentId, in: sql)
            return (
                curriculum, progress,
                try suggestions.suggestions(
                    for: studentId, progress, curriculum, at: now, language, timeZone: timeZone, in: sql)
            )
        }
    }
}

extension ProgressState {
    fileprivate var level: PTProgressGrid.Level {
        switch self {
        case .notStarted: .none
        case .presented: .begun
        case .practicing: .going
        case .mastered: .done
        }
    }

    fileprivate var tone: PTTag.Tone {
        switch self {
        case .notStarted: .neutral
        case .presented: .info
        case .practicing: .attention
        case .mastered: .good
        }
    }
}
