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

/// Serves screens as HTML.
struct Pages: Sendable {
    let dependencies: WebDependencies
    let gate: SessionGate
    let assets: Assets
    let kept = KeptPages()

    static let flashCookie = "pt_flash"
    static let displayCookie = "pt_display"

    func respond(_ route: ScreenRoute, _ request: Request, _ context: WebContext) async throws -> Response {
        let identity = try await gate.identity(of: request)
        let display = try await display(for: identity.caller, request)
        var response: Response
        do {
            response = try await page(route, identity.caller, display, request, context)
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
        gate.settle(identity, on: &response)
        return response
    }

    private func page(
        _ route: ScreenRoute, _ visitor: Caller, _ display: Display, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        // A narrowed device has a start of its own; whoever signs in on it does so as on any other.
        let isShut = visitor.account?.token?.isDevice == true && !PermissionService.opens(route.area, visitor)
        if isShut, route.access != .anyone || route.path == "/" {
            return .seeOther(dependencies.features.home(of: visitor) ?? WebSettings.signInPath)
        }
        let caller = isShut ? .nobody : visitor
        if case .member = route.access, caller.account != nil, caller.membership == nil {
            // Somebody without a school yet: the shell knows the way.
            return .seeOther("/")
        }
        try PermissionService.authorize(page: route.access, area: route.area, caller)
        let kit = try await gate.kit(caller, display.words, request, context)
        let query = Self.query(of: request)
        var parameters: [String: String] = [:]
        for (name, value) in context.parameters { parameters[String(name)] = String(value) }
        // The numbers are older than the page, so that a change in between is announced, never missed.
        // A narrowed device has no event stream: its page must not ask for one again and again.
        let listens = !caller.needsSecondFactor && caller.account?.token == nil
        let seq = listens ? kit.latestChange : nil
        let unread = try await unread(kit)
        let shelf = try await shelf(for: route, display, request, kit, context, unread: unread)
        let wantsPacked = Response.wantsPacked(request)
        if let shelf, let page = kept.page(at: shelf.place, in: shelf.state, packed: wantsPacked) {
            try await note(route, parameters, kit)
            return html(page, isPacked: wantsPacked, request, caller.account)
        }
        // After the page's stamp, so that none is kept with a menu that is older; a page from memory has its own.
        let menus = try await menus(kit)
        func asked(_ path: String, _ parameters: [String: String], _ query: [String: String]) -> ScreenRequest {
            ScreenRequest(
                context: kit, path: path, parameters: parameters, query: query, refused: context.refused,
                navigation: dependencies.features.navigation(for: caller).filter {
                    menus.states[$0.path]?.isShown ?? true
                },
                sections: dependencies.features.sections(for: caller),
                lastPlace: LocalPath.checked(request.cookies[SessionGate.placeCookie]?.value),
                lastStudent: request.cookies[SessionGate.studentCookie].flatMap { UUID(text: $0.value) },
                names: dependencies.features.features.flatMap(\.audit.names))
        }
        switch try await route.make(asked(request.uri.path, parameters, query)) {
        case .redirect(let path): return .seeOther(path)
        case .leave(let departure):
            var response = Response.seeOther(departure.address)
            gate.set(departure, on: &response)
            return response
        case .screen(var screen):
            // The page to go back to may belong to a block that this server does not have.
            if let back = screen.back, dependencies.features.screen(at: String(back.prefix { $0 != "?" })) == nil {
                screen.back = nil
            }
            try await note(route, parameters, kit)
            if let address = query["sheet"], address.hasPrefix("/") {
                try await present(address, over: &screen, kit, asked)
            }
            let chrome =
                screen.layout == .page && caller.account != nil
                ? try chrome(
                    of: caller, tab: route.tab, kit, path: request.uri.path, unread: unread, menus) : nil
            let bytes = markup(
                screen, chrome, display, request, seq: seq, sheet: query["sheet"], caller: caller)
            let (page, packed) = (ByteBuffer(bytes: bytes), wantsPacked ? Response.pack(bytes) : nil)
            if let shelf { kept.keep(page, packed: packed, at: shelf.place, in: shelf.state) }
            var response = html(
                packed ?? page, isPacked: packed != nil, request, caller.account,
                status: context.refused?.problem.status ?? 200)
            let media = screen.mediaOrigins
            if !media.isEmpty {
                response.headers[.contentSecurityPolicy] = SecurityHeaders.header(showing: media)
            }
            return response
        }
    }

    /// Puts the page at an address of ours in a sheet over another. One that is gone, or that the reader may not see
    /// any more, leaves the other as it is.
    private func present(
        _ address: String, over screen: inout Screen, _ kit: FeatureKit.RequestContext,
        _ asked: (String, [String: String], [String: String]) -> ScreenRequest
    ) async throws {
        guard let parts = URLComponents(string: address), let found = dependencies.features.screen(at: parts.path)
        else {
            return
        }
        let query = (parts.queryItems ?? []).reduce(into: [:]) { $0[$1.name] = $1.value ?? "" }
        do {
            try PermissionService.authorize(page: found.route.access, area: found.route.area, kit.caller)
            guard case .screen(let over) = try await found.route.make(asked(parts.path, found.parameters, query))
            else { return }
            try await note(found.route, found.parameters, kit)
            screen.sheets.append(PTBottomSheet(over, at: address))
            screen.live += over.live
        } catch let problem as Problem where [403, 404].contains(problem.status) {
            return
        }
    }

    /// Where the page may be kept, and what it will have been made of; `nil` where it may not.
    private func shelf(
        for route: ScreenRoute, _ display: Display, _ request: Request, _ kit: FeatureKit.RequestContext,
        _ context: WebContext, unread: Int
    ) async throws -> (place: KeptPages.Place, state: KeptPages.State)? {
        guard route.freshness == .untilChange, context.refused == nil,
            Self.query(of: request)["sheet"]?.hasPrefix("/") != true,
            Self.flash(of: request) == nil,
            let account = kit.caller.account, let school = try await kit.school.stamp(),
            let directory = try await kit.directory.stamp()
        else { return nil }
        return (
            KeptPages.Place(
                account: account.id, address: request.uri.string, language: display.words.language,
                display: display.preferences),
            KeptPages.State(
                caller: kit.caller, day: kit.today, seq: kit.latestChange, unread: unread, directory: directory,
                school: school)
        )
    }

    private func note(
        _ route: ScreenRoute, _ parameters: [String: String], _ kit: FeatureKit.RequestContext
    ) async throws {
        guard let seen = route.seen, let membership = kit.caller.membership else { return }
        try await dependencies.pipeline.sightings.note(
            seen, parameters, by: membership, at: kit.now, in: kit.school)
    }

    // MARK: - Around a page

    /// The tabs and the bar around an error's page; none where even they cannot be had.
    func frame(
        _ caller: Caller, _ display: Display, _ request: Request, _ context: WebContext
    ) async -> PageChrome? {
        guard caller.membership != nil else { return nil }
        do {
            let kit = try await gate.kit(caller, display.words, request, context)
            return try await chrome(
                of: caller, tab: nil, kit, path: request.uri.path, unread: unread(kit), menus(kit))
        } catch {
            return nil
        }
    }

    private func unread(_ kit: FeatureKit.RequestContext) async throws -> Int {
        guard kit.caller.membership != nil, !kit.caller.needsSecondFactor else { return 0 }
        var unread = 0
        for count in dependencies.features.features.compactMap(\.notifications.unread) {
            unread += try await count(kit)
        }
        return unread
    }

    /// What of the menus the school's database says.
    private struct Menus {
        /// How those entries stand whose blocks say so, by their path.
        var states: [String: EntryState] = [:]
        /// The address of the caller's picture.
        var picture: String?
    }

    private func menus(_ kit: FeatureKit.RequestContext) async throws -> Menus {
        guard kit.caller.membership != nil, !kit.caller.needsSecondFactor else { return Menus() }
        let pages = dependencies.features.features.map(\.pages)
        let (told, pictures) = (pages.flatMap(\.entryStates), pages.compactMap(\.accountPicture))
        guard !told.isEmpty || !pictures.isEmpty else { return Menus() }
        return try await kit.school.read { sql in
            var menus = Menus()
            for entry in told { menus.states[entry.key] = try entry.value(kit, sql) }
            for picture in pictures where menus.picture == nil { menus.picture = try picture(kit, sql) }
            return menus
        }
    }

    private func chrome(
        of caller: Caller, tab: String?, _ kit: FeatureKit.RequestContext, path: String, unread: Int,
        _ menus: Menus
    ) throws -> PageChrome {
        let words = kit.words
        let current = tab ?? path
        let entries = dependencies.features.navigation(for: caller).filter {
            menus.states[$0.path]?.isShown ?? true
        }
        let account = try kit.account
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
        let main = tabs.prefix(PageChrome.tabLimit)
        let first = main.first?.order ?? .max
        let rail = entries.filter { $0.standsInRail && !main.contains($0) }
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
                            ? .perform(PTCommandCall(path: entry.path, key: kit.newKey())) : .open(entry.path))
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
            account: (caller?.account?.id).map(Self.mark(of:)),
            school: (caller?.membership?.organization.id).map(Self.mark(of:)))
        return HTMLRenderer.page(screen, chrome: chrome, context: context)
    }

    /// Tells accounts, or schools, of one device apart; no more than that.
    private static func mark(of id: UUID) -> String { String(id.text.suffix(12)) }

    private func html(
        _ body: ByteBuffer, isPacked: Bool, _ request: Request, _ account: SignedInAccount?, status: Int = 200
    ) -> Response {
        var response = Response.content(body, isPacked: isPacked, type: "text/html; charset=utf-8", status: status)
        if let account { response.headers[.account] = Self.mark(of: account.id) }
        if Self.flash(of: request) != nil {
            response.setCookie(Cookie(name: Self.flashCookie, value: "", maxAge: 0, path: "/"))
        }
        return response
    }

    /// The page of an error that no page of ours caused: an unknown address, most often.
    func failure(_ error: any Error, _ request: Request, _ context: WebContext) async throws -> Response {
        var identity = SessionGate.Identity(caller: .nobody)
        do {
            identity = try await gate.identity(of: request)
        } catch is Problem {
            // A token that is none: nobody asks.
        }
        let display = try await display(for: identity.caller, request)
        var response = try failure(
            error, identity.caller, display, request, context,
            chrome: await frame(identity.caller, display, request, context))
        gate.settle(identity, on: &response)
        return response
    }

    /// The page of an error; nobody's requests go to the sign-in, and come back afterwards.
    ///
    /// - Parameter chrome: what stands around it, so that whoever is signed in is not at a dead end.
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
        let back = wayOn(from: problem, caller, request)
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

    /// Where a page that could not be shown leads on to, and with which words.
    private func wayOn(from problem: Problem, _ caller: Caller, _ request: Request) -> (title: String, path: String)
    {
        if problem.status == 423 {
            // The start page of a closed school would only say so again.
            let mayCallBack = dependencies.features.navigation(for: caller).contains {
                $0.path == WebSettings.closedSchoolPath
            }
            return mayCallBack
                ? ("web.error.closedSchool", WebSettings.closedSchoolPath)
                : ("web.error.otherSchool", WebSettings.schoolsPath)
        }
        return problem.status < 500
            ? ("web.error.home", "/") : ("web.error.retry", LocalPath.checked(request.uri.string) ?? "/")
    }

    // MARK: - Language and look

    struct Display: Sendable {
        let words: Words
        let preferences: DisplayPreferences
    }

    /// A person's own choice first, then this browser's, then what the browser says.
    func display(for caller: Caller, _ request: Request) async throws -> Display {
        var preferences = DisplayPreferences()
        if let account = caller.account {
            preferences = try await dependencies.preferences.preferences(of: account.id)
        } else if let cookie = request.cookies[Self.displayCookie]?.value {
            preferences = Self.readDisplay(cookie)
        }
        let language = preferences.language ?? Language(acceptLanguage: request.headers[.acceptLanguage] ?? "")
        return Display(words: dependencies.words(language), preferences: preferences)
    }

    /// `fr.wolfwhale.dark`; anything unknown is the standard.
    static func readDisplay(_ cookie: String) -> DisplayPreferences {
        let parts = cookie.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return DisplayPreferences() }
        return DisplayPreferences(
            language: Language(rawValue: parts[0]), theme: ThemeName(rawValue: parts[1]) ?? .pinktower,
            appearance: Appearance(rawValue: parts[2]) ?? .automatic)
    }

    /// The gallery shows any look without choosing it for good: `?theme=wolfwhale&appearance=dark`.
    static func look(of query: [String: String], else standard: DisplayPreferences) -> DisplayPreferences {
        var look = standard
        look.theme = query["theme"].flatMap(ThemeName.init(rawValue:)) ?? look.theme
        look.appearance = query["appearance"].flatMap(Appearance.init(rawValue:)) ?? look.appearance
        return look
    }

    // MARK: - Small things

    static func flash(_ feedback: Feedback) throws -> Cookie {
        let value = try JSON.encode(feedback).base64EncodedString().replacingOccurrences(of: "=", with: "")
        return Cookie(name: flashCookie, value: value, maxAge: 20, path: "/", httpOnly: true, sameSite: .lax)
    }

    /// What is to be told of the command before. A page that reads itself again leaves it to the page that follows the
    /// command: it would be told twice otherwise, or to nobody.
    private static func flash(of request: Request) -> String? {
        request.headers[.pinkTower] == "live" ? nil : request.cookies[flashCookie]?.value
    }

    private static func readFlash(_ cookie: String) -> Feedback? {
        let padded = cookie + String(repeating: "=", count: (4 - cookie.utf8.count % 4) % 4)
        guard cookie.utf8.count < 2000, let data = Data(base64Encoded: padded) else { return nil }
        do {
            return try JSON.decode(Feedback.self, from: data)
        } catch {
            return nil
        }
    }

    /// The fields of the address, read as a form writes them: a plus sign is a blank. An address that is
    /// no text asks for nothing.
    static func query(of request: Request) -> [String: String] {
        do {
            let pairs = try FormDecoding.pairs(urlEncoded: (request.uri.query ?? "").utf8)
            return Dictionary(
                pairs.compactMap { name, value in
                    if case .text(let text) = value { (name, text) } else { nil }
                }, uniquingKeysWith: { _, last in last })
        } catch {
            return [:]
        }
    }

    static func escape(_ path: String) -> String {
        path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "/"
    }
}
