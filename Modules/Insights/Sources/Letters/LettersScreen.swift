import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// The page on which a guide reads, edits and shares this week's letters, one after the other.
struct LettersScreen: Sendable {
    static let path = "/letters"

    let classrooms: any ClassroomService
    let students: any StudentService
    let reader: ChildReader

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.shareWithFamilies), tab: "/homeroom") {
            .screen(try await screen($0))
        }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let membership = try request.context.membership
        let week = LetterWeek(of: request.context.today)
        let (children, letters, shared) = try await request.context.school.read { sql in
            let rooms = try classrooms.classrooms(visibleTo: membership, in: sql)
            let children = try rooms.flatMap {
                try students.students(of: $0.id, orgId: membership.organization.id, in: sql)
            }.reduce(into: [UUID: Student]()) { $0[$1.id] = $1 }
            let letters = try FamilyTextRepository.letters(lastDay: week.last, in: sql)
                .filter { children[$0.studentId] != nil }
            return (children, letters, try SharedItemRepository.shared(letters.map(\.id), in: sql))
        }
        func name(_ letter: FamilyText) -> String { children[letter.studentId]?.displayName ?? "" }
        func isOut(_ letter: FamilyText) -> Bool { shared[letter.id]?.version == letter.version }
        let sorted = letters.sorted {
            (NameFolding.fold(name($0)), $0.language.rawValue) < (NameFolding.fold(name($1)), $1.language.rawValue)
        }
        let wanted = request.query["letter"].flatMap(UUID.init(text:))
        let current = sorted.first { $0.id == wanted } ?? sorted.first { !isOut($0) }
        var body: [Component] = [
            .text(PTText(words("letters.week", words.longDate(week.first), words.longDate(week.last)), role: .note))
        ]
        if letters.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .mail, title: words("letters.none"), message: words("letters.noneTip"),
                        action: draftNow(request))))
        }
        if let current {
            let others = try await request.context.school.read { sql in
                try children[current.studentId].map { try reader.othersNames(of: $0, in: sql) } ?? []
            }
            body.append(
                .section(
                    PTSection(
                        title: words(
                            "letters.for", name(current), words("insights.language.\(current.language.rawValue)")),
                        body: TextParts(request: request).namesBanner(current.text, others) + [
                            .form(
                                request.form(
                                    ReleaseText.self, ["textId": current.id.text], id: "letter",
                                    fields: TextParts(request: request).fields(current),
                                    submit: SubmitButton(title: words("letters.release"), icon: .share),
                                    alternate: SubmitButton(
                                        title: words("insights.save"),
                                        action: request.call(SaveText.self, ["textId": current.id.text]),
                                        role: .neutral),
                                    to: Self.path, style: .card))
                        ])))
        } else if !letters.isEmpty {
            body.append(.banner(PTBanner(tone: .success, icon: .check, title: words("letters.allShared"))))
        }
        if !letters.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("letters.all"),
                        body: [
                            .list(
                                PTList(
                                    cells: sorted.map { letter in
                                        cell(
                                            letter, name(letter), isOut: isOut(letter),
                                            isCurrent: letter.id == current?.id, words)
                                    }, label: words("letters.all")))
                        ])))
            body.append(.button(draftNow(request)))
        }
        return Screen(title: words("letters.title"), back: "/homeroom", live: [Topics.letters], body: body)
    }

    private func draftNow(_ request: ScreenRequest) -> PTButton {
        PTButton(
            title: request.words("letters.draftNow"), icon: .edit, role: .tonal,
            action: .perform(request.call(DraftLetters.self, to: Self.path)))
    }

    private func cell(
        _ letter: FamilyText, _ name: String, isOut: Bool, isCurrent: Bool, _ words: Words
    ) -> PTListCell {
        PTListCell(
            id: letter.id.text, title: name, subtitle: words("insights.language.\(letter.language.rawValue)"),
            isCurrent: isCurrent,
            trailing: [
                .badge(
                    isOut
                        ? PTTag(text: words("insights.state.shared"), tone: .good)
                        : PTTag(text: words("insights.state.draft"), tone: .warning))
            ],
            action: .open(isOut ? letter.path : "\(Self.path)?letter=\(letter.id.text)"))
    }
}
