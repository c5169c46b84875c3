import ScreenKit

#if WITH_SEARCH
    import Domain
    import FeatureKit
    import Foundation

    /// The generated texts of a large school: messages, observations, lessons, people and announcements, with the
    /// readers of their blocks. Sixty thousand words have the frequencies of a natural language (Zipf's law). Equal at
    /// each run, except for the ids.
    struct SampleLibrary {
        /// The kinds of searches.
        enum Kind: String, CaseIterable {
            case oneWord = "one word"
            case twoWords = "two words of one document"
            case beginning = "two to four letters"
            case misspelt = "a misspelt word"
        }

        private let words: [String]
        private let people = (0..<3000).map { _ in UUID() }
        private let classrooms = (0..<60).map { _ in UUID() }
        private let courses = (0..<200).map { _ in UUID() }
        private var random = SplitMix(state: 7)
        /// Some of the texts to search for, and the ids of messages to change later.
        private var samples: [[String]] = []
        private var written: [UUID] = []

        init() {
            let (first, second) = (Array("bcdfglmnprstvz"), Array("aeiou"))
            words = (0..<60_000).map { rank in
                // A permutation of all syllables.
                var rest = (rank * 7919 + 4242) % 343_000
                var word = ""
                for _ in 0..<3 {
                    word.append(first[rest % 14])
                    word.append(second[rest / 14 % 5])
                    rest /= 70
                }
                return word + ["", "n", "s", "ment", "tion"][rank % 5]
            }
        }

        // MARK: - Documents

        /// A portion of documents of one category; the categories take turns by portion.
        mutating func documents(_ count: Int, _ portion: Int) -> (category: String, documents: [SearchDocument]) {
            switch portion * 37 % 100 {
            case ..<60: ("messages", (0..<count).map { _ in message(UUID()) })
            case ..<90: ("observations", (0..<count).map { _ in observation() })
            case ..<97: ("lessons", (0..<count).map { _ in lesson() })
            case ..<99: ("people", (0..<count).map { _ in person() })
            default: ("announcements", (0..<count).map { _ in announcement() })
            }
        }

        /// Existing messages with new texts.
        mutating func changed(_ count: Int) -> [SearchDocument] {
            let ids = written.prefix(count)
            written.removeFirst(ids.count)
            return ids.map { message($0) }
        }

        private mutating func message(_ id: UUID) -> SearchDocument {
            let text = text(of: 4...25)
            let (one, room) = (below(people.count), pick(classrooms))
            let other = (one + 1 + below(20)) % people.count
            if written.count < 20_000 { written.append(id) }
            return SearchDocument(
                id: id, title: SearchSource.excerpt(text), subtitle: name(), text: text,
                path: "/messages/\(id.text)",
                tint: .sand,
                readers: below(10) < 7
                    ? [.person(people[one]), .person(people[other])] : [Self.channel(room)] + Self.office)
        }

        private mutating func observation() -> SearchDocument {
            let (id, text) = (UUID(), text(of: 8...30))
            return SearchDocument(
                id: id, title: SearchSource.excerpt(text), subtitle: name(), text: text,
                path: "/students/\(id.text)",
                tint: .leaf, readers: [.init("classroom:\(pick(classrooms).text)")] + Self.office)
        }

        private mutating func lesson() -> SearchDocument {
            let (id, course) = (UUID(), pick(courses).text)
            return SearchDocument(
                id: id, title: text(of: 2...5), subtitle: text(of: 1...3), text: text(of: 60...120),
                path: "/lessons/\(id.text)", tint: .sky,
                readers: [.init("teachers:\(course)"), .init("course:\(course)")] + Self.office)
        }

        private mutating func person() -> SearchDocument {
            let (id, name) = (UUID(), name())
            return SearchDocument(
                id: id, title: name, text: "\(words[below(words.count)])@demo.example",
                path: "/students/\(id.text)",
                tint: .clay, readers: [.init("classroom:\(pick(classrooms).text)")] + Self.office)
        }

        private mutating func announcement() -> SearchDocument {
            let id = UUID()
            return SearchDocument(
                id: id, title: text(of: 3...8), text: text(of: 20...60), path: "/announcements/\(id.text)",
                tint: .berry, readers: below(2) == 0 ? [.school] : [Self.announcements(pick(classrooms))])
        }

        private static let office = Audience.roles([.superAdmin, .admin])
        private static func channel(_ room: UUID) -> Audience { Audience("channel:\(room.text)") }
        private static func announcements(_ room: UUID) -> Audience { Audience("announcements:\(room.text)") }

        // MARK: - Searches

        /// A typed query: words of the texts, so that frequent ones are frequent.
        mutating func query(_ kind: Kind) -> String {
            let text = pick(samples)
            let word = pick(text)
            switch kind {
            case .oneWord: return word
            case .twoWords: return "\(word) \(pick(text))"
            case .beginning: return String(word.prefix(2 + below(3)))
            case .misspelt:
                // Two letters are swapped, so that no other word begins with it.
                var letters = Array(word)
                letters.swapAt(3, 4)
                return String(letters)
            }
        }

        /// A search by a guide, an administrator or a parent, in turn.
        func search(_ text: String, by turn: Int) -> IndexedSearch {
            var readers: Set<Audience> = [.school, .person(people[turn * 13 % people.count])]
            func joins(rooms: Int, courses count: Int, teaches: Bool) {
                for number in 0..<rooms {
                    let room = classrooms[(turn * 7 + number) % classrooms.count]
                    readers.formUnion([Self.channel(room), Self.announcements(room)])
                    if teaches { readers.insert(.init("classroom:\(room.text)")) }
                }
                for number in 0..<count {
                    let course = courses[(turn * 11 + number) % courses.count].text
                    readers.insert(.init("course:\(course)"))
                    if teaches { readers.insert(.init("teachers:\(course)")) }
                }
            }
            switch turn % 3 {
            case 0:
                readers.insert(.role(.guide))
                joins(rooms: 2, courses: 4, teaches: true)
            case 1: readers.insert(.role(.admin))
            default:
                readers.insert(.role(.parent))
                joins(rooms: 1, courses: 3, teaches: false)
            }
            return IndexedSearch(
                text: text, readers: readers,
                categories: [
                    "people", "members", "classrooms", "courses", "lessons", "observations", "messages",
                    "announcements",
                ], limit: 20)
        }

        // MARK: - Random choices

        private mutating func text(of lengths: ClosedRange<Int>) -> String {
            let text = (0..<Int.random(in: lengths, using: &random)).map { _ in
                words[Int(exp(Double.random(in: 0..<1, using: &random) * log(Double(words.count)))) - 1]
            }
            if samples.count < 5000, below(100) == 0 { samples.append(text) }
            return text.joined(separator: " ")
        }

        private mutating func name() -> String { "\(words[below(2000)]) \(words[below(20_000)])" }

        private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
    }

    /// A random number generator with a fixed seed (SplitMix64 of Steele, Lea and Flood).
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
#endif
