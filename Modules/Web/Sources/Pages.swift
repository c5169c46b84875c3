import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ScreenKit
import WebHTML

/// Serves screens as HTML to browsers, and as JSON to native apps.
struct Pages: Sendable {
    let dependencies: WebDependencies
    let gate: SessionGate
    let assets: Assets
    let cache = PageCache()

    static let flashCookie = "pt_flash"
    static let displayCookie = "pt_display"

    func respond(_ route: ScreenRoute, _ request: Request, _ context: WebContext) async throws -> Response {
        let identity = try await gate.identity(of: request)
        let display = try await display(for: identity.caller, request)
        var response: Response
        do {
            response = try await page(route, identity.caller, display, request, context)
        } catch  where Self.screenVersion(in: request) != nil {
            response = try ProblemDocument.response(
                ProblemTranslation.problem(for: error, context.logger, identity.caller), display.words)
        } catch {
            response = try failure(
                error, identity.caller, display, request, context,
                chrome: await frame(identity.caller, display, request, context))
        }
        let here = request.uri.path
        if route.isPlace, response.status == .ok, request.cookies[SessionGate.placeCookie]?.value != here {
            gate.setCookie(
                SessionGate.placeCookie, here, until: Date(timeIntervalSinceNow: SessionGate.deviceLifetime),
                on: &response)
        }
        if let student = Self.query(of: request)["student"].flatMap(UUID.init(text:)), response.status == .ok,
            identity.caller.membership?.roles.contains(.parent) == true,
            request.cookies[SessionGate.studentCookie]?.value != student.text
        {
            gate.setCookie(
                SessionGate.studentCookie, student.text,
                until: Date(timeIntervalSinceNow: SessionGate.deviceLifetime), on: &response)
        }
        gate.updateCookies(of: identity, on: &response)
        return response
    }

    private func page(
        _ route: ScreenRoute, _ visitor: Caller, _ display: Display, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        // A narrowed device has its own start page. Public pages, such as sign-in, are shown as to a signed-out person.
        let isShut = visitor.account?.token?.isDevice == true && !PermissionService.opens(route.area, visitor)
        if isShut, route.access != .anyone || route.path == "/" {
            return .seeOther(dependencies.features.home(of: visitor) ?? WebSettings.signInPath)
        }
        let caller = isShut ? .nobody : visitor
        if case .member = route.access, caller.account != nil, caller.membership == nil {
            // An account without a school goes to the start page, which offers to join or create one.
            return .seeOther("/")
        }
        try PermissionService.authorize(page: route.access, area: route.area, caller)
        let requestContext = try await gate.requestContext(caller, display.words, request, context)
        let query = Self.query(of: request)
        var parameters: [String: String] = [:]
        for (name, value) in context.parameters { parameters[String(name)] = String(value) }
        // The sequence number is read before the page, so that a change in between is announced rather than missed.
        // Narrowed devices have no event stream, so their pages get no number.
        let listens = !caller.needsSecondFactor && caller.account?.token == nil
        let seq = listens ? requestContext.latestChange : nil
        let unread = try await unread(requestContext)
        let slot = try await cacheSlot(for: route, display, request, requestContext, context, unread: unread)
        let wantsPacked = Response.wantsPacked(request)
        if let slot, let page = cache.page(for: slot.key, in: slot.state, packed: wantsPacked) {
            try await note(route, parameters, requestContext)
            return answer(page, isPacked: wantsPacked, request, caller.account)
        }
        // Read after the page's stamps, so that no page is cached with an older menu.
        let menus = try await menus(requestContext)
        func screenRequest(_ path: String, _ parameters: [String: String], _ query: [String: String])
            -> ScreenRequest
        {
            ScreenRequest(
                context: requestContext, path: path, parameters: parameters, query: query, refused: context.refused,
                navigation: dependencies.features.navigation(for: caller).filter {
                    menus.states[$0.path]?.isShown ?? true
                },
                sections: dependencies.features.sections(for: caller),
                agenda: dependencies.features.agenda(for: caller),
                lastPlace: LocalPath.checked(request.cookies[SessionGate.placeCookie]?.value),
                lastStudent: request.cookies[SessionGate.studentCookie].flatMap { UUID(text: $0.value) },
                isApp: Self.screenVersion(in: request) != nil,
                names: dependencies.features.features.flatMap(\.audit.names))
        }
        let asked = screenRequest(request.uri.path, parameters, query)
        switch try await route.make(asked) {
        case .redirect(let path): return .seeOther(path)
        case .leave(let departure):
            var response = Response.seeOther(departure.address)
            gate.set(departure, on: &response)
            return response
        case .screen(let made):
            var screen = asked.withSidebar(made, tab: route.tab, of: dependencies.features.features)
            // The page to go back to may belong to a block that this server lacks.
            if let back = screen.back, dependencies.features.screen(at: String(back.prefix { $0 != "?" })) == nil {
                screen.back = nil
            }
            try await note(route, parameters, requestContext)
            if let address = query["sheet"], address.hasPrefix("/") {
                try await present(address, over: &screen, requestContext, screenRequest)
            }
            if let address = screen.listPath {
                try await addList(of: address, to: &screen, at: request.uri.path, requestContext, screenRequest)
            }
            let chrome =
                screen.layout == .page && caller.account != nil
                ? try chrome(
                    of: caller, tab: route.tab, requestContext, path: request.uri.path, unread: unread, menus) : nil
            let bytes =
                if let version = Self.screenVersion(in: request) {
                    try [UInt8](
                        JSON.encode(ScreenDocument(screen, chrome: chrome, seq: seq, knowing: version)))
                } else {
                    markup(screen, chrome, display, request, seq: seq, sheet: query["sheet"], caller: caller)
                }
            let (page, packed) = (ByteBuffer(bytes: bytes), wantsPacked ? Response.pack(bytes) : nil)
            if let slot, screen.listPath == nil { cache.store(page, packed: packed, for: slot.key, in: slot.state) }
            var response = answer(
                packed ?? page, isPacked: packed != nil, request, caller.account,
                status: context.refused?.problem.status ?? 200)
            let media = screen.mediaOrigins
            if !media.isEmpty {
                response.headers[.contentSecurityPolicy] = SecurityHeaders.header(showing: media)
            }
            return response
        }
    }

    /// Shows a page in a sheet over another one. A page that is missing or forbidden is left out.
    private func present(
        _ address: String, over screen: inout Screen, _ requestContext: FeatureKit.RequestContext,
        _ screenRequest: (String, [String: String], [String: String]) -> ScreenRequest
    ) async throws {
        guard let over = try await other(address, requestContext, screenRequest) else { return }
        screen.sheets.append(PTBottomSheet(over, at: address))
        screen.live += over.live
    }

    /// Adds the list from which a page was chosen, for wide screens.
    private func addList(
        of address: String, to screen: inout Screen, at path: String,
        _ requestContext: FeatureKit.RequestContext,
        _ screenRequest: (String, [String: String], [String: String]) -> ScreenRequest
    ) async throws {
        guard let page = try await other(address, requestContext, screenRequest) else { return }
        screen.list = PTSideList(of: page, beside: screen, at: path)
        if screen.list != nil { screen.live += page.live.filter { !screen.live.contains($0) } }
    }

    /// Makes another page for the same person; `nil` if it is missing or forbidden, or leads elsewhere.
    private func other(
        _ address: String, _ requestContext: FeatureKit.RequestContext,
        _ screenRequest: (String, [String: String], [String: String]) -> ScreenRequest
    ) async throws -> Screen? {
        guard let parts = URLComponents(string: address), let found = dependencies.features.screen(at: parts.path)
        else { return nil }
        let query = (parts.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value ?? "" }
        do {
            try PermissionService.authorize(page: found.route.access, area: found.route.area, requestContext.caller)
            guard
                case .screen(let screen) = try await found.route.make(
                    screenRequest(parts.path, found.parameters, query))
            else { return nil }
            try await note(found.route, found.parameters, requestContext)
            return screen
        } catch let problem as Problem where [403, 404].contains(problem.status) {
            return nil
        }
    }

    /// The cache key and state of a page; `nil` when it must not be cached.
    private func cacheSlot(
        for route: ScreenRoute, _ display: Display, _ request: Request, _ requestContext: FeatureKit.RequestContext,
        _ context: WebContext, unread: Int
    ) async throws -> (key: PageCache.Key, state: PageCache.State)? {
        guard route.freshness == .untilChange, context.refused == nil,
            Self.query(of: request)["sheet"]?.hasPrefix("/") != true,
            Self.flash(of: request) == nil,
            let account = requestContext.caller.account, let school = try await requestContext.school.stamp(),
            let directory = try await requestContext.directory.stamp()
        else { return nil }
        return (
            PageCache.Key(
                account: account.id, address: request.uri.string, language: display.words.language,
                display: display.preferences, screenVersion: Self.screenVersion(in: request)),
            PageCache.State(
                caller: requestContext.caller, day: requestContext.today, seq: requestContext.latestChange,
                unread: unread, directory: directory,
                school: school)
        )
    }

    private func note(
        _ route: ScreenRoute, _ parameters: [String: String], _ requestContext: FeatureKit.RequestContext
    ) async throws {
        guard let seen = route.seen, let membership = requestContext.caller.membership else { return }
        try await dependencies.pipeline.sightings.note(
            seen, parameters, by: membership, at: requestContext.now, in: requestContext.school)
    }

    // MARK: - Around a page

    /// The tabs and the bar around an error page; `nil` when they cannot be built either.
    func frame(
        _ caller: Caller, _ display: Display, _ request: Request, _ context: WebContext
    ) async -> PageChrome? {
        guard caller.membership != nil else { return nil }
        do {
            let requestContext = try await gate.requestContext(caller, display.words, request, context)
            return try await chrome(
                of: caller, tab: nil, requestContext, path: request.uri.path, unread: unread(requestContext),
                menus(requestContext))
        } catch {
            return nil
        }
    }

    private func unread(_ requestContext: FeatureKit.RequestContext) async throws -> Int {
        guard requestContext.caller.membership != nil, !requestContext.caller.needsSecondFactor else { return 0 }
        var unread = 0
        for count in dependencies.features.features.compactMap(\.notifications.unread) {
            unread += try await count(requestContext)
        }
        return unread
    }

    /// The parts of the menus that depend on the school's database.
    private struct Menus {
        /// The states of navigation entries whose blocks provide them, by path.
        var states: [String: EntryState] = [:]
        /// The address of the caller's picture.
        var picture: String?
    }

    private func menus(_ requestContext: FeatureKit.RequestContext) async throws -> Menus {
        guard requestContext.caller.membership != nil, !requestContext.caller.needsSecondFactor else {
            return Menus()
        }
        let pages = dependencies.features.features.map(\.pages)
        let (states, pictures) = (pages.flatMap(\.entryStates), pages.compactMap(\.accountPicture))
        guard !states.isEmpty || !pictures.isEmpty else { return Menus() }
        return try await requestContext.school.read { sql in
            var menus = Menus()
            for entry in states { menus.states[entry.key] = try entry.value(requestContext, sql) }
            for picture in pictures where menus.picture == nil { menus.picture = try picture(requestContext, sql) }
            return menus
        }
    }

    private func chrome(
        of caller: Caller, tab: String?, _ requestContext: FeatureKit.RequestContext, path: String, unread: Int,
        _ menus: Menus
    ) throws -> PageChrome {
        let words = requestContext.words
        let current = tab ?? path
        let entries = dependencies.features.navigation(for: caller).filter {
            menus.states[$0.path]?.isShown ?? true
        }
        let account = try requestContext.account
        let has = Set(
            dependencies.features.features.flatMap(\.pages.screens).filter {
                PermissionService.opens($0.area, caller)
            }
            .map(\.path))
        func shown(_ entries: some Sequence<NavigationEntry>) -> [PTNavigationEntry] {
            entries.map { entry in
                PTNavigationEntry(
                    title: words(entry.title), icon: entry.icon, path: entry.path,
                    isCurrent: entry.path == current, unread: menus.states[entry.path]?.unread ?? 0)
            }
        }
        let tabs = entries.filter { $0.placement == .tabs }
        let main = entries.mainTabs
        let first = main.first?.order ?? .max
        let rail = entries.besideMainTabs
        return PageChrome(
            navigation: shown(main),
            rail: PageChrome.Rail(
                leading: shown(rail.filter { $0.order < first }), trailing: shown(rail.filter { $0.order >= first })
            ),
            more: shown(tabs.dropFirst(PageChrome.tabLimit)),
            beside: shown(entries.filter { $0.placement == .beside }),
            account: PTAccountMenu(
                name: account.name, detail: caller.membership?.organization.name,
                initials: Initials.of(account.name),
                tint: Tint(for: caller.membership?.personId ?? account.id),
                shape: PTAvatar.Shape(for: caller.membership?.personId ?? account.id), imageURL: menus.picture,
                items: entries.filter { $0.placement == .account }.map { entry in
                    PTMenuItem(
                        title: words(entry.title), icon: entry.icon,
                        action: entry.isCommand
                            ? .perform(PTCommandCall(path: entry.path, key: requestContext.newKey()))
                            : .open(entry.path))
                }),
            unread: unread,
            searchPath: has.contains(WebSettings.searchPath) ? WebSettings.searchPath : nil,
            notificationsPath: has.contains(WebSettings.notificationsPath) ? WebSettings.notificationsPath : nil)
    }

    private func markup(
        _ screen: Screen, _ chrome: PageChrome?, _ display: Display, _ request: Request,
        seq: Int64? = nil, sheet: String? = nil, caller: Caller? = nil
    ) -> [UInt8] {
        var feedback: [PTFeedback] = []
        if let flash = Self.flash(of: request), let shown = Self.readFlash(flash) {
            switch shown.style {
            case .toast: feedback = [.toast(PTToast(shown.text))]
            case .burst: feedback = [.burst(PTCheckmarkBurst(title: shown.text))]
            }
        }
        let look =
            request.uri.path == "/gallery"
            ? Self.look(of: Self.query(of: request), else: display.preferences) : display.preferences
        let context = PageContext(
            words: display.words, assets: assets, path: request.uri.string, theme: look.theme,
            appearance: look.appearance, seq: seq, feedback: feedback, openSheet: sheet,
            account: (caller?.account?.id).map(Self.tag(of:)),
            school: (caller?.membership?.organization.id).map(Self.tag(of:)))
        return HTMLRenderer.page(screen, chrome: chrome, context: context)
    }

    /// A short tag that distinguishes the accounts or schools of one device.
    private static func tag(of id: UUID) -> String { String(id.text.suffix(12)) }

    /// The version of screens that a native app reads, from the header `Accept`; `nil` for a browser.
    ///
    /// An app that names no version reads this server's own.
    static func screenVersion(in request: Request) -> Int? {
        guard let accept = request.headers[.accept],
            let range = accept.split(separator: ",").first(where: {
                $0.split(separator: ";").first?.trimmingCharacters(in: .whitespaces) == ScreenDocument.mediaType
            })
        else { return nil }
        let named = range.split(separator: ";").dropFirst().compactMap { parameter -> Int? in
            let parts = parameter.split(separator: "=").map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == "version" ? Int(parts[1]) : nil
        }
        return min(max(named.first ?? ScreenDocument.version, 0), ScreenDocument.version)
    }

    /// The response with a page in the form that the client asked for.
    private func answer(
        _ body: ByteBuffer, isPacked: Bool, _ request: Request, _ account: SignedInAccount?, status: Int = 200
    ) -> Response {
        guard let version = Self.screenVersion(in: request) else {
            return html(body, isPacked: isPacked, request, account, status: status)
        }
        return .content(
            body, isPacked: isPacked, type: "\(ScreenDocument.mediaType); version=\(version)", status: status)
    }

    private func html(
        _ body: ByteBuffer, isPacked: Bool, _ request: Request, _ account: SignedInAccount?, status: Int = 200
    ) -> Response {
        var response = Response.content(body, isPacked: isPacked, type: "text/html; charset=utf-8", status: status)
        if let account { response.headers[.account] = Self.tag(of: account.id) }
        if Self.flash(of: request) != nil {
            response.setCookie(Cookie(name: Self.flashCookie, value: "", maxAge: 0, path: "/"))
        }
        return response
    }

    /// The error page for a request outside of any page, usually an unknown address.
    func failure(_ error: any Error, _ request: Request, _ context: WebContext) async throws -> Response {
        var identity = SessionGate.Identity(caller: .nobody)
        do {
            identity = try await gate.identity(of: request)
        } catch is Problem {
            // An invalid token counts as signed out.
        }
        let display = try await display(for: identity.caller, request)
        var response = try failure(
            error, identity.caller, display, request, context,
            chrome: await frame(identity.caller, display, request, context))
        gate.updateCookies(of: identity, on: &response)
        return response
    }

    /// The error page; without a session it redirects to sign-in, which returns to the page.
    ///
    /// - Parameter chrome: the navigation around the page, if there is any.
    func failure(
        _ error: any Error, _ caller: Caller, _ display: Display, _ request: Request, _ context: WebContext,
        chrome: PageChrome? = nil
    ) throws -> Response {
        let problem = ProblemTranslation.problem(for: error, context.logger, caller)
        if problem.status == 401 {
            let here = LocalPath.checked(request.uri.string) ?? "/"
            return .seeOther(
                here == "/" ? WebSettings.signInPath : "\(WebSettings.signInPath)?next=\(Self.escape(here))")
        }
        if problem.code == Problem.secondFactorNeeded.code { return .seeOther(WebSettings.secondFactorPath) }
        let words = display.words
        let back = nextStep(from: problem, caller, request)
        let title = words(problem.status == 404 ? "web.error.notFound" : "web.error.title")
        let screen = Screen(
            title: title, layout: chrome == nil ? .focused : .page,
            body: [
                .error(
                    ErrorStateView(
                        title: problem.sentence(words),
                        retry: PTButton(title: words(back.title), action: .open(back.path))))
            ])
        let page = ByteBuffer(bytes: markup(screen, chrome, display, request, caller: caller))
        return html(page, isPacked: false, request, caller.account, status: problem.status)
    }

    /// The title and path of the button on an error page.
    private func nextStep(from problem: Problem, _ caller: Caller, _ request: Request) -> (
        title: String, path: String
    ) {
        if problem.status == 423 {
            // The start page of a closed school would show the same error.
            let mayReopen = dependencies.features.navigation(for: caller).contains {
                $0.path == WebSettings.closedSchoolPath
            }
            return mayReopen
                ? ("web.error.closedSchool", WebSettings.closedSchoolPath)
                : ("web.error.otherSchool", WebSettings.schoolsPath)
        }
        return problem.status < 500
            ? ("web.error.home", "/") : ("web.error.retry", LocalPath.checked(request.uri.string) ?? "/")
    }
}
