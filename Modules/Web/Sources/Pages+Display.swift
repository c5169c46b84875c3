import DesignSystem
import Domain
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird

// The language and appearance of a page, its feedback and its query.

extension Pages {
    struct Display: Sendable {
        let words: Words
        let preferences: DisplayPreferences
    }

    /// The person's preferences, else this browser's cookie, else its `Accept-Language`.
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

    /// Parses a cookie such as `fr.wolfwhale.dark`; unknown parts get their default.
    static func readDisplay(_ cookie: String) -> DisplayPreferences {
        let parts = cookie.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { return DisplayPreferences() }
        return DisplayPreferences(
            language: Language(rawValue: parts[0]), theme: ThemeName(rawValue: parts[1]) ?? .pinktower,
            appearance: Appearance(rawValue: parts[2]) ?? .automatic)
    }

    /// The appearance that the gallery's address asks for: `?theme=wolfwhale&appearance=dark`.
    static func look(of query: [String: String], else standard: DisplayPreferences) -> DisplayPreferences {
        var look = standard
        look.theme = query["theme"].flatMap(ThemeName.init(rawValue:)) ?? look.theme
        look.appearance = query["appearance"].flatMap(Appearance.init(rawValue:)) ?? look.appearance
        return look
    }

    // MARK: - Cookies and queries

    static func flash(_ feedback: Feedback) throws -> Cookie {
        Cookie(
            name: flashCookie, value: try flashText(feedback), maxAge: 20, path: "/", httpOnly: true, sameSite: .lax
        )
    }

    /// The feedback as JSON in Base64 without padding.
    static func flashText(_ feedback: Feedback) throws -> String {
        try JSON.encode(feedback).base64EncodedString().replacingOccurrences(of: "=", with: "")
    }

    /// The feedback of the command before this page. A page that refreshes itself leaves it to the page that the
    /// command redirects to, so that it is shown exactly once.
    static func flash(of request: Request) -> String? {
        request.headers[.pinkTower] == "live" ? nil : request.cookies[flashCookie]?.value
    }

    static func readFlash(_ cookie: String) -> Feedback? {
        let padded = cookie + String(repeating: "=", count: (4 - cookie.utf8.count % 4) % 4)
        guard cookie.utf8.count < 2000, let data = Data(base64Encoded: padded) else { return nil }
        do {
            return try JSON.decode(Feedback.self, from: data)
        } catch {
            return nil
        }
    }

    /// The query of the address, decoded like a form. A malformed query is empty.
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
