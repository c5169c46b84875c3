import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import ShellInterface

/// The start page, the welcome pages, the wizard and the account page.
struct ShellScreens: Sendable {
    let sessions: any SessionService
    let hasClassrooms: Bool
    let hasAccounts: @Sendable () async throws -> Bool

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/", access: .anyone, start),
            ScreenRoute("/welcome", access: .account) { .screen(gettingStarted($0)) },
            ScreenRoute("/welcome/device", access: .account) { .screen(try await device($0)) },
            ScreenRoute("/welcome/student", access: .account) { .screen(try await student($0)) },
            ScreenRoute("/welcome/school", access: .account) { .screen(try await school($0)) },
            ScreenRoute("/settings", access: .account, tab: "/settings") { .screen(try await account($0)) },
        ]
            + (hasClassrooms
                ? [
                    ScreenRoute("/welcome/classroom", access: .account) { .screen(try await classroom($0)) },
                    ScreenRoute("/welcome/students", access: .account) { try await students($0) },
                ] : [])
    }

    @Sendable
    private func start(_ request: ScreenRequest) async throws -> ScreenAnswer {
        switch try await sessions.determineInitialRoute(pendingCode: request.query["code"], request.context) {
        // A new server has no account to sign in with.
        case .signIn: .redirect(try await hasAccounts() ? "/sign-in" : "/sign-up")
        case .promptJoinOrganization(let code):
            .redirect("/join/\(code.filter { $0.isLetter || $0.isNumber || $0 == "-" })")
        case .gettingStarted: .redirect("/welcome")
        case .promptCreateOrganization: .redirect("/welcome/school")
        case .promptStudentProfile: .redirect("/welcome/student")
        case .promptJoin: .redirect("/join")
        case .promptLinkChild: .redirect("/families")
        case .selectOrganization: .redirect("/organizations")
        case .promptCreateClassroom: .redirect("/welcome/classroom")
        case .main:
            .redirect(
                try await isReleaseDue(request) ? ReleaseScreens.path : Self.first(request))
        }
    }

    /// The first tab. Parents without another role begin with their children's page instead of the home page.
    private static func first(_ request: ScreenRequest) -> String {
        let isFamily = request.context.caller.membership?.roles == [.parent]
        let tabs = request.navigation.filter { $0.placement == .tabs }
        return (tabs.first { !isFamily || $0.path != HomeScreen.path } ?? tabs.first)?.path ?? "/settings"
    }

    private func isReleaseDue(_ request: ScreenRequest) async throws -> Bool {
        try await ReleaseScreens.isDue(request.context.account, in: request.context.directory)
    }

    /// GettingStarted: three lines about the product, the choice of a role unless a school has given one, and one
    /// button.
    private func gettingStarted(_ request: ScreenRequest) -> Screen {
        let words = request.words
        return Screen(
            title: words("welcome.title"), subtitle: words("welcome.subtitle"), layout: .focused, hero: .tower,
            body: [
                .list(
                    PTList(cells: [
                        PTListCell(
                            leading: .icon(.check, tint: .leaf), title: words("welcome.day"),
                            subtitle: words("welcome.dayTip")),
                        PTListCell(
                            leading: .icon(.people, tint: .sky), title: words("welcome.together"),
                            subtitle: words("welcome.togetherTip")),
                        PTListCell(
                            leading: .icon(.lock, tint: .clay), title: words("welcome.private"),
                            subtitle: words("welcome.privateTip")),
                    ])),
                .form(
                    request.form(
                        StartOnboarding.self, id: "start",
                        fields: request.context.caller.membership == nil ? [roleField(words)] : [],
                        submit: SubmitButton(title: words("welcome.start")), to: "/welcome/device")),
                .links(PTLinks(links: [.init(title: words("welcome.haveCode"), action: .open("/join"))])),
            ])
    }

    private func roleField(_ words: Words) -> PTField {
        PTField(
            .choice(
                Newcomer.allCases.map { .init(value: $0.rawValue, title: words("welcome.role.\($0.rawValue)")) }),
            name: "role", label: words("welcome.role"), value: Newcomer.guide.rawValue)
    }

    /// The page with the device's options: notifications and sign-in without a password. All are optional.
    private func device(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let offers = request.navigation.filter { $0.placement == .device }.map { entry in
            PTListCell(
                leading: .icon(entry.icon, tint: .leaf), title: words(entry.title),
                subtitle: entry.tip.map { words($0) }, trailing: [.chevron],
                action: .open("\(entry.path)?next=/welcome/device"))
        }
        let notifications = PTListCell(
            leading: .icon(.bell, tint: .sky), title: words("welcome.notifications"),
            subtitle: words("welcome.notificationsTip"),
            trailing: [
                .button(
                    PTButton(title: words("welcome.notificationsAllow"), role: .tonal, action: .allowNotifications))
            ])
        let next: String
        switch try await progress(request).role {
        case .student: next = "/welcome/student"
        case .parent: next = "/families"
        case .guide, nil: next = request.context.caller.membership == nil ? "/welcome/school" : "/"
        }
        return Screen(
            title: words("welcome.device.title"), subtitle: words("welcome.device.subtitle"), layout: .focused,
            body: [
                .list(PTList(cells: [notifications] + offers, label: words("welcome.device.title"))),
                .button(PTButton(title: words("welcome.continue"), size: .large, action: .open(next))),
            ])
    }

    /// The student's profile, also linked from the settings.
    private func student(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let profile = try await progress(request).profile
        return Screen(
            title: words("welcome.student.title"), subtitle: words("welcome.student.subtitle"), layout: .focused,
            body: [
                .form(
                    request.form(
                        SaveStudentProfile.self, id: "student",
                        fields: [
                            PTField(
                                .select(
                                    StudentProfile.grades.map {
                                        .init(value: String($0), title: Self.grade($0, words))
                                    }), name: "grade", label: words("welcome.grade"),
                                value: String(profile?.grade ?? 1)),
                            PTField(
                                .multipleChoice(
                                    StudentProfile.Interest.allCases.map {
                                        .init(value: $0.rawValue, title: words("interest.\($0.rawValue)"))
                                    }), name: "interests", label: words("welcome.interests"),
                                values: profile?.interests.map(\.rawValue) ?? []),
                        ],
                        submit: SubmitButton(title: words("welcome.next")), style: .wizard)),
                .links(PTLinks(links: [.init(title: words("welcome.haveCode"), action: .open("/join"))])),
            ])
    }

    private static func grade(_ grade: Int, _ words: Words) -> String {
        switch grade {
        case 0: words("welcome.grade.kindergarten")
        case 1: words("welcome.grade.first")
        case StudentProfile.grades.upperBound: words("welcome.grade.after")
        default: words("welcome.grade.number", grade)
        }
    }

    // MARK: - Wizard

    private func progress(_ request: ScreenRequest) async throws -> OnboardingDraft {
        let account = try request.context.account
        return try await request.context.directory.read {
            try OnboardingRepository.progress(of: account.id, in: $0).draft
        }
    }

    /// The steps of the wizard. Members of a school begin with the classroom.
    private func stepper(_ step: Int, _ request: ScreenRequest) -> Component {
        let words = request.words
        return .stepper(
            PTStepper(
                label: words("welcome.steps"),
                steps: ["welcome.step.school", "welcome.step.classroom", "welcome.step.students"].map { words($0) },
                current: step))
    }

    private func school(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let draft = try await progress(request)
        let fields = [
            PTField(
                name: "name", label: words("welcome.school.name"), value: draft.schoolName, isRequired: true,
                autocomplete: "organization", maxLength: 120, placeholder: words("welcome.school.example")),
            tint(draft.schoolTint, draft.schoolName, from: ["name"], request),
            .hidden("timeZone", draft.timeZone ?? ""),
        ]
        let form =
            hasClassrooms
            ? request.form(
                SaveSchoolStep.self, id: "school", fields: fields,
                submit: SubmitButton(title: words("welcome.next")), style: .wizard)
            : request.form(
                FoundSchool.self, id: "school", fields: fields,
                submit: SubmitButton(title: words("welcome.finish")), style: .wizard)
        return Screen(
            title: words("welcome.school.title"), subtitle: words("welcome.school.subtitle"), layout: .focused,
            body: (hasClassrooms ? [stepper(0, request)] : []) + [
                .form(form),
                .links(PTLinks(links: [.init(title: words("welcome.haveCode"), action: .open("/join"))])),
            ])
    }

    private func classroom(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let draft = try await progress(request)
        let hasSchool = request.context.caller.membership != nil
        return Screen(
            title: words("welcome.classroom.title"), subtitle: words("welcome.classroom.subtitle"),
            layout: .focused,
            body: [
                stepper(1, request),
                .form(
                    request.form(
                        SaveClassroomStep.self, id: "classroom",
                        fields: [
                            PTField(
                                name: "name", label: words("welcome.classroom.name"), value: draft.classroomName,
                                isRequired: true, autocomplete: "off", maxLength: 80,
                                placeholder: words("welcome.classroom.example")),
                            tint(draft.classroomTint, draft.classroomName, from: ["name"], request),
                        ],
                        submit: SubmitButton(title: words("welcome.next")),
                        secondary: hasSchool ? nil : back("/welcome/school", words), style: .wizard)),
            ])
    }

    private func students(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let words = request.words
        let draft = try await progress(request)
        guard !draft.classroomName.isEmpty else { return .redirect("/welcome/classroom") }
        let position = request.query["edit"].flatMap { Int($0) } ?? -1
        let edited = draft.children.indices.contains(position) ? draft.children[position] : nil
        let name = edited.map { "\($0.firstName) \($0.lastName)" } ?? ""
        let fields = [
            PTField(
                name: "firstName", label: words("welcome.firstName"), value: edited?.firstName ?? "",
                autocomplete: "off", maxLength: 100, placeholder: words("welcome.firstName.example"), width: .half),
            PTField(
                name: "lastName", label: words("welcome.lastName"), value: edited?.lastName ?? "",
                autocomplete: "off", maxLength: 100, placeholder: words("welcome.lastName.example"), width: .half),
            tint(edited?.avatarTint ?? .leaf, name, from: ["firstName", "lastName"], request),
            .hidden("position", String(edited == nil ? -1 : position)),
        ]
        let finish = SubmitButton(title: words("welcome.finish"))
        let add = SubmitButton(
            title: words(edited == nil ? "welcome.addAnother" : "welcome.keepChange"),
            action: request.call(AddChild.self), role: .tonal, icon: edited == nil ? .plus : .check)
        let back = back("/welcome/classroom", words)
        let form =
            request.context.caller.membership == nil
            ? request.form(
                FinishOnboarding.self, id: "students", fields: fields, submit: finish, alternate: add,
                secondary: back, style: .wizard)
            : request.form(
                FinishClassroomStep.self, id: "students", fields: fields, submit: finish, alternate: add,
                secondary: back, style: .wizard)
        var body: [Component] = [stepper(2, request), .form(form)]
        if !draft.children.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("welcome.soFar"), detail: words("welcome.studentCount", draft.children.count),
                        body: [
                            .list(
                                PTList(
                                    cells: draft.children.enumerated().map { index, child in
                                        cell(child, index, request)
                                    }))
                        ])))
        }
        return .screen(
            Screen(
                title: words("welcome.students.title", draft.classroomName),
                subtitle: words("welcome.students.subtitle"), layout: .focused, body: body))
    }

    private func cell(_ child: OnboardingDraft.Child, _ index: Int, _ request: ScreenRequest) -> PTListCell {
        let words = request.words
        let name = PersonName(given: child.firstName, family: child.lastName)
        return PTListCell(
            id: "child-\(index)", leading: .avatar(PTAvatar(initials: name.initials, tint: child.avatarTint)),
            title: name.display,
            trailing: [
                .iconButton(
                    PTButton(
                        title: words("welcome.editChild", name.display), icon: .edit, role: .quiet,
                        action: .open("/welcome/students?edit=\(index)"))),
                .iconButton(
                    PTButton(
                        title: words("welcome.removeChild", name.display), icon: .x, role: .quiet,
                        action: .perform(
                            request.call(
                                RemoveChild.self, fields: ["position": String(index)], to: "/welcome/students")))),
            ])
    }

    private func tint(_ value: Tint, _ name: String, from: [String], _ request: ScreenRequest) -> PTField {
        let words = request.words
        return .tint(
            name: "avatarTint", label: words("welcome.picture"), initials: Initials.of(name),
            from: from, value: value,
            titles: Dictionary(
                uniqueKeysWithValues: Tint.allCases.map { ($0, words("tint.\($0.rawValue)")) }))
    }

    private func back(_ path: String, _ words: Words) -> PTButton {
        PTButton(title: words("welcome.back"), icon: .chevronLeft, role: .quiet, action: .open(path))
    }

    // MARK: - Settings > Account

    private static func link(_ title: String, _ path: String) -> PTLinks.Link {
        PTLinks.Link(title: title, action: .open(path))
    }

    private func account(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let account = try request.context.account
        var items = [
            PTDefinitionList.Item(term: words("account.name"), value: account.name),
            PTDefinitionList.Item(term: words("account.email"), value: account.email),
        ]
        if let membership = request.context.caller.membership {
            items.append(
                .init(
                    term: words("account.school"), value: membership.organization.name))
            items.append(
                .init(
                    term: words("account.roles"),
                    value: Role.allCases.filter(membership.roles.contains).map { words("role.\($0.rawValue)") }
                        .joined(separator: ", ")))
        }
        let profile = try await progress(request).profile
        if let profile {
            items.append(.init(term: words("welcome.grade"), value: Self.grade(profile.grade, words)))
            let interests = profile.interests.map { words("interest.\($0.rawValue)") }.joined(separator: ", ")
            if !interests.isEmpty { items.append(.init(term: words("welcome.interests"), value: interests)) }
        }
        let entries = request.navigation.filter { $0.placement == .account && $0.path != request.path }
        return Screen(
            title: words("account.settings"),
            body: [
                .definitionList(PTDefinitionList(items: items)),
                .list(
                    PTList(
                        cells: entries.map { entry in
                            PTListCell(
                                leading: .icon(entry.icon, tint: .sand),
                                title: words(entry.title), trailing: entry.isCommand ? [] : [.chevron],
                                action: entry.isCommand
                                    ? .perform(PTCommandCall(path: entry.path, key: request.key))
                                    : .open(entry.path))
                        })),
                .links(
                    PTLinks(
                        links: (profile == nil ? [] : [Self.link(words("account.profile"), "/welcome/student")]) + [
                            .init(title: words("welcome.device.title"), action: .open("/welcome/device")),
                            .init(title: words("release.title"), action: .open(ReleaseScreens.path)),
                            .init(title: words("legal.terms.link"), action: .open("/terms")),
                            .init(title: words("legal.privacy.link"), action: .open("/privacy")),
                        ])),
            ])
    }
}
