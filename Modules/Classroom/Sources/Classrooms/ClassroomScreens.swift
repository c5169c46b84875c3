import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The view models of the Homeroom tab and of the pages that manage classrooms.
struct ClassroomScreens: Sendable {
    let classrooms: any ClassroomService
    let guides: any GuideService

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/homeroom", access: .member(.viewClassrooms), tab: "/homeroom", homeroom),
            ScreenRoute(
                "/classrooms", access: .member(.viewClassrooms), tab: "/homeroom", freshness: .untilChange
            ) { try await list($0) },
            ScreenRoute("/classrooms/new", access: .member(.manageClassrooms), tab: "/homeroom", create),
            ScreenRoute(
                "/classrooms/{classroomId}/edit", access: .member(.manageClassrooms), tab: "/homeroom", edit),
        ]
    }

    /// Opens the classroom that this device showed last, else the person's default one, else the only one. Several
    /// classrooms open the list, and none opens the page to create the first one.
    @Sendable
    private func homeroom(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let membership = try request.context.membership
        let (all, standard) = try await request.context.school.read { sql in
            (
                try classrooms.classrooms(visibleTo: membership, in: sql),
                try ClassroomRepository.defaultClassroom(of: membership.personId, in: sql)
            )
        }
        let last = request.lastPlace?.split(separator: "/").last.flatMap { UUID(text: String($0)) }
        if let chosen = [last, standard].compactMap(\.self).first(where: { id in all.contains { $0.id == id } }) {
            return .redirect("/classrooms/\(chosen.text)")
        }
        if all.count == 1, let only = all.first { return .redirect("/classrooms/\(only.id.text)") }
        if all.isEmpty && request.context.caller.may(.manageClassrooms) { return .redirect("/classrooms/new") }
        return .redirect("/classrooms")
    }

    /// The list of classrooms (`ClassroomsView` of the ledger).
    private func list(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let membership = try request.context.membership
        let (all, standard) = try await request.context.school.read { sql in
            (
                try classrooms.classrooms(visibleTo: membership, in: sql),
                try ClassroomRepository.defaultClassroom(of: membership.personId, in: sql)
            )
        }
        let mayManage = request.context.caller.may(.manageClassrooms)
        let body: [Component] =
            all.isEmpty
            ? [
                .empty(
                    PTEmptyState(
                        title: words("classrooms.none"),
                        message: words(mayManage ? "classrooms.noneTip" : "classrooms.noneForGuide"),
                        action: mayManage
                            ? PTButton(
                                title: words("classrooms.create"), icon: .plus, action: .open("/classrooms/new"))
                            : nil,
                        secondary: .init(title: words("classrooms.haveCode"), action: .open("/join"))))
            ]
            : [
                .list(
                    PTList(
                        cells: all.map {
                            cell($0, isDefault: all.count > 1 ? $0.id == standard : nil, mayManage, request)
                        }, columns: .two,
                        label: words("classrooms.title")))
            ]
        return .screen(
            Screen(
                title: words("classrooms.title"), live: ["classrooms"], body: body,
                floatingButton: mayManage && !all.isEmpty
                    ? PTFloatingActionButton(
                        title: words("classrooms.create"),
                        action: .open("/classrooms/new"))
                    : nil))
    }

    /// Returns the row of a classroom in the list.
    ///
    /// - Parameter isDefault: whether it opens first; `nil` where there is nothing to choose.
    private func cell(
        _ classroom: ClassroomSummary, isDefault: Bool?, _ mayManage: Bool, _ request: ScreenRequest
    ) -> PTListCell {
        let words = request.words
        let first = isDefault.map { isDefault in
            PTMenuItem(
                title: words(isDefault ? "classrooms.opensNotFirst" : "classrooms.openFirst"), icon: .star,
                action: .perform(
                    request.call(
                        SetDefaultClassroom.self,
                        fields: isDefault ? [:] : ["classroomId": classroom.id.text], to: "/classrooms")))
        }
        let count = words("classrooms.studentCount", classroom.studentCount)
        let edit = PTAction.open("/classrooms/\(classroom.id.text)/edit")
        let delete = PTMenuItem(
            title: words("classrooms.delete"), icon: .trash, role: .destructive,
            action: .perform(deletion(classroom.id, classroom.name, request)))
        let rename = PTMenuItem(title: words("classrooms.rename"), icon: .edit, action: edit)
        return PTListCell(
            id: classroom.id.text,
            leading: .avatar(
                PTAvatar(
                    initials: Initials.of(classroom.name), tint: classroom.avatarTint,
                    id: classroom.id, imageURL: classroom.imageURL)),
            title: classroom.name,
            subtitle: isDefault == true ? words("classrooms.opensFirst", count) : count,
            trailing: [.chevron], action: .open("/classrooms/\(classroom.id.text)"),
            menu: (first.map { [$0] } ?? [])
                + (mayManage
                    ? [PTMenuItem(title: words("classrooms.edit"), icon: .settings, action: edit), rename, delete]
                    : []),
            swipe: mayManage ? [rename, delete] : [])
    }

    private func deletion(_ id: UUID, _ name: String, _ request: ScreenRequest) -> PTCommandCall {
        let words = request.words
        return request.call(
            DeleteClassroom.self, ["classroomId": id.text],
            confirmation: PTConfirmation(
                title: words("classrooms.deleteQuestion", name), message: words("classrooms.deleteExplained"),
                confirm: words("classrooms.delete")),
            to: "/classrooms")
    }

    /// The page that creates a classroom (`CreateClassroomView` of the ledger).
    @Sendable
    private func create(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        return .screen(
            Screen(
                title: words("classrooms.create"), subtitle: words("classrooms.createTip"), layout: .focused,
                back: "/classrooms",
                body: [
                    .form(
                        request.form(
                            CreateClassroom.self, id: "create-classroom",
                            fields: fields("", .leaf, request) + PictureFields.classroom(hasCover: false, words),
                            submit: SubmitButton(title: words("classrooms.create")), style: .card))
                ]))
    }

    private func fields(_ name: String, _ tint: Tint, _ request: ScreenRequest) -> [PTField] {
        let words = request.words
        return [
            PTField(
                name: "name", label: words("classrooms.name"), value: name, isRequired: true, maxLength: 80,
                placeholder: words("classrooms.nameExample")),
            .tint(
                name: "avatarTint", label: words("classrooms.picture"),
                initials: Initials.of(name),
                from: ["name"], value: tint, titles: tintTitles(words)),
        ]
    }

    @Sendable
    private func edit(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let id = try request.id("classroomId")
        let membership = try request.context.membership
        let classroom = try await request.context.school.read {
            try classrooms.classroom(id, visibleTo: membership, in: $0)
        }
        let everyone = try await guides.guides(of: membership.organization.id)
        let fields =
            self.fields(classroom.name, classroom.avatarTint, request)
            + PictureFields.classroom(hasCover: classroom.imageURL != nil, words)
            + [
                PTField(
                    .multipleChoice(
                        everyone.map { .init(value: $0.id.text, title: $0.fullName, detail: $0.email) }),
                    name: "guideIds", label: words("classrooms.guidesLabel"),
                    values: classroom.guideIds.map(\.text), hint: words("classrooms.guidesHint")),
                .hidden("setsGuides", "true"), .version(classroom.version),
            ]
        let theirs = try await request.savedMeanwhile(
            "classroom.changed", ["classroom.updated", "classroom.guidesAssigned"], of: id, fields)
        return .screen(
            Screen(
                title: classroom.name, back: "/classrooms/\(id.text)", live: ["classroom:\(id.text)"],
                body: theirs + (classroom.cover(words).map { [.image($0)] } ?? []) + [
                    .form(
                        request.form(
                            UpdateClassroom.self, ["classroomId": id.text], id: "edit-classroom", fields: fields,
                            submit: SubmitButton(title: words("classrooms.save")), to: "/classrooms/\(id.text)",
                            style: .card)),
                    .button(
                        PTButton(
                            title: words("classrooms.delete"), icon: .trash, role: .destructive,
                            action: .perform(deletion(id, classroom.name, request)))),
                ]))
    }
}

extension Classroom {
    /// Returns the cover as a strip over a page; `nil` if the classroom has none.
    func cover(_ words: Words) -> PTImage? {
        imageURL.map {
            PTImage(url: $0, width: 1280, height: 480, alt: words("picture.coverOf", name), shape: .banner)
        }
    }
}

/// Returns the names of the tints, as a screen reader says them in the picker.
func tintTitles(_ words: Words) -> [Tint: String] {
    Dictionary(uniqueKeysWithValues: Tint.allCases.map { ($0, words("tint.\($0.rawValue)")) })
}
