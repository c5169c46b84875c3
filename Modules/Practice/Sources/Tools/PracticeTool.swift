import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit
import ShellInterface

/// The tools of practice. Each has a page and an entry in Tools on Home (WW-1.10).
enum PracticeTool: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    /// A spelling bee: words are heard and written.
    case spelling
    /// A math quiz, with levels that follow the child.
    case math
    /// A typing tutor for the keyboard in use.
    case typing

    /// The name of the island of all tools.
    static let island = "practice"

    /// The path of the tool's page.
    var path: String { "/tools/\(rawValue)" }
    var titleKey: String { "practice.\(rawValue).title" }

    var icon: PTIcon {
        switch self {
        case .spelling: .wave
        case .math: .calculator
        case .typing: .grid
        }
    }

    /// The entry in Tools on Home.
    var navigation: NavigationEntry {
        NavigationEntry(
            .tools, titleKey, icon: icon, path: path, order: 65 + (Self.allCases.firstIndex(of: self) ?? 0),
            permission: .practice)
    }

    /// The math quiz's kinds of tasks, as the island names them (`sums.js`).
    static let kinds = [
        "addition", "subtraction", "multiplication", "division", "fractions", "decimals", "order",
    ]

    /// The keyboard layouts of the typing tutor, as the island names them (`keys.js`).
    static let layouts = ["qwerty", "azerty", "qwertz"]

    /// What a round of the tool can be about: a kind of tasks, the language of a word list, or a keyboard layout.
    var roundKinds: [String] {
        switch self {
        case .spelling: WordLanguage.allCases.map(\.rawValue)
        case .math: Self.kinds
        case .typing: Self.layouts
        }
    }

    /// The names of the island's texts, which are the ends of catalog keys.
    var wordKeys: [String] {
        let shared = [
            "about.one", "about.other", "again", "again.title", "check", "end", "leave", "progress",
            "sending", "sent", "stop", "waits",
        ]
        let own =
            switch self {
            case .spelling:
                [
                    "atOnce.one", "atOnce.other", "listen", "lists", "look", "next", "noPaste", "noVoice", "right",
                    "silent",
                    "slowly",
                    "start",
                    "starter.easy", "starter.hard", "starter.medium", "starters", "theWord", "verdict.accent",
                    "verdict.capital", "verdict.sign", "verdict.wrong", "waiting.one", "waiting.other", "words.one",
                    "words.other", "writeAgain", "writeWord", "yourWord", "youWrote",
                ]
            case .math:
                [
                    "answer", "answerIs", "atOnce.one", "atOnce.other", "back", "bracketFirst", "kinds", "level",
                    "next",
                    "nextLevel", "noNumber", "notYet", "over", "pad", "rightNumber", "way", "workOut",
                ] + Self.kinds.map { "kind.\($0)" }
            case .typing:
                [
                    "accuracy", "isClosed", "isOpen", "layout", "lesson", "lessons", "looksLike", "nextLesson",
                    "noKeyboard", "noPaste", "opened", "press", "sentences", "slipped", "space", "speed.one",
                    "speed.other",
                    "toOpen", "typeHere", "useIt", "withShift",
                ] + (0...8).map { "finger.\($0)" }
            }
        return shared + own
    }
}

/// The pages of the tools.
struct ToolScreens: Sendable {
    /// The most words of all lists that a page of the spelling bee has; further lists open on a page of their own.
    static let mostWords = 3000

    let access: PracticeAccess

    var routes: [ScreenRoute] {
        PracticeTool.allCases.map { tool in
            ScreenRoute(tool.path, access: .member(.practice), tab: "/home") { .screen(try await page(tool, $0)) }
        }
    }

    private func page(_ tool: PracticeTool, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let chosen = request.query["list"].flatMap(UUID.init(text:))
        let (known, offered) = try await request.context.school.read { sql in
            (
                try self.known(tool, membership.personId, sql),
                tool == .spelling ? try self.offered(membership, first: chosen, words, sql) : []
            )
        }
        var texts = ["title": words(tool.titleKey)]
        for key in tool.wordKeys { texts[key] = words("practice.play.\(key)") }
        let properties = ToolProperties(
            tool: tool.rawValue, language: words.language.rawValue, record: RecordRound.contract.path,
            words: texts, known: known, offered: offered,
            chosen: offered.first { $0.id == chosen?.text }?.id)
        var body: [Component] = [
            .island(
                try PTIsland(
                    PracticeTool.island, properties: properties, fallback: words("practice.noScript"), isWide: true)
            )
        ]
        if tool == .spelling {
            let lists = PTLinks.Link(title: words("practice.makeLists"), action: .open(WordListScreens.home))
            body.append(.links(PTLinks(links: [lists])))
        }
        return Screen(
            title: words(tool.titleKey), back: "/home",
            live: [PracticeTopic.results(of: membership.personId), PracticeTopic.lists], body: body)
    }

    /// The results that the device needs to continue.
    private func known(
        _ tool: PracticeTool, _ personId: UUID, _ sql: any SQLReading
    ) throws -> ToolProperties.Known {
        func time(_ round: PracticeRound) -> Int { Int(round.finishedAt.timeIntervalSince1970 * 1000) }
        var known = ToolProperties.Known()
        switch tool {
        case .spelling:
            for round in try RoundRepository.latest(of: personId, tool, in: sql) {
                guard let name = round.listId?.text ?? round.listName else { continue }
                known.missed[name] = .init(words: round.missed, at: time(round))
            }
        case .math:
            for round in try RoundRepository.latest(of: personId, tool, in: sql) {
                known.levels[round.kind] = .init(level: round.level, at: time(round))
            }
        case .typing:
            for (layout, lessons) in try RoundRepository.best(of: personId, in: sql) {
                known.best[layout] = Dictionary(uniqueKeysWithValues: lessons.map { (String($0), $1) })
            }
        }
        return known
    }

    /// The lists that the member may practice, with their words as long as there are not too many.
    private func offered(
        _ membership: ActiveMembership, first chosen: UUID?, _ words: Words, _ sql: any SQLReading
    ) throws -> [ToolProperties.List] {
        let lists = try access.lists(of: membership, in: sql)
        let counts = try WordListRepository.counts(lists.map(\.id), in: sql)
        let courses = try access.courses?.courses(Set(lists.compactMap(\.courseId)), in: sql) ?? [:]
        var left = Self.mostWords - (chosen.flatMap { counts[$0] } ?? 0)
        return try lists.map { list in
            let count = counts[list.id] ?? 0
            var isFilled = list.id == chosen
            if !isFilled, count <= left {
                left -= count
                isFilled = true
            }
            return ToolProperties.List(
                id: list.id.text, name: list.name,
                detail: list.courseId.flatMap { courses[$0]?.name } ?? words("practice.ownList"),
                language: list.language.rawValue, count: count,
                words: isFilled
                    ? try WordListRepository.words(of: list.id, in: sql).map {
                        .init(word: $0.word, hint: $0.hint, sound: $0.recordingPath)
                    } : nil)
        }
    }
}

/// The data of the island `<pt-practice>` (`bench.js`).
private struct ToolProperties: Encodable {
    struct Level: Encodable {
        let level: Int
        /// The time of the round in milliseconds since 1970.
        let at: Int
    }
    struct Missed: Encodable {
        let words: [String]
        let at: Int
    }
    struct Known: Encodable {
        var levels: [String: Level] = [:]
        var best: [String: [String: Int]] = [:]
        var missed: [String: Missed] = [:]
    }
    struct Word: Encodable {
        let word: String
        let hint: String?
        let sound: String?
    }
    struct List: Encodable {
        let id: String
        let name: String
        let detail: String
        let language: String
        let count: Int
        let words: [Word]?
    }

    let tool: String
    let language: String
    let record: String
    let words: [String: String]
    let known: Known
    let offered: [List]
    let chosen: String?
}
