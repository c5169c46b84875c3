import ClassroomInterface
import CurriculumInterface
import Domain
import Foundation

/// What was written about a child in a time, with the names of what it is tagged with.
struct ChildMaterial: Sendable {
    let first: Day
    let last: Day
    let period: ChildPeriod
    let steps: [MaterialStep]
    /// Subjects and materials by their id, in the language of the text.
    let tags: [UUID: String]
    /// What other children of its classes are called.
    let others: [String]
}

/// Tells of a child from its record alone: no guess and no model, the same record gives the same text.
struct ChildWriter: Sendable {
    /// How many notes a text for parents quotes.
    static let mostQuotes = 5
    static let mostPlanned = 3

    /// What the child is called.
    let name: String
    let words: Words
    let material: ChildMaterial

    // MARK: - For parents

    /// A summary of the time (PT-2.22).
    func summary() -> Telling {
        let told = forParents()
        return told.isEmpty
            ? Telling(paragraphs: [[nothing]], hasContent: false) : Telling(paragraphs: told, hasContent: true)
    }

    /// The letter of a week (BY-1.22).
    /// - Parameter school: who greets.
    func letter(from school: String) -> Telling {
        let told = forParents()
        let greeting = Sentence(text: words("tell.letter.greeting"), sources: [])
        let opening = Sentence(
            text: words("tell.letter.opening", ofName(name), day(material.first), day(material.last)), sources: [])
        let closing = Sentence(text: words("tell.letter.closing", school), sources: [])
        return Telling(
            paragraphs: [[greeting], [opening]] + (told.isEmpty ? [[nothing]] : told) + [[closing]],
            hasContent: !told.isEmpty)
    }

    private var nothing: Sentence {
        Sentence(
            text: material.first == material.last
                ? words("tell.nothing.day", name, day(material.first))
                : words("tell.nothing", name, day(material.first), day(material.last)), sources: [])
    }

    /// A paragraph about the work, one about the habits, one of the guide's own words, one of what is planned. Tasks
    /// are the guides' own list, absences are known at home: neither is told.
    private func forParents() -> [[Sentence]] {
        var text = Composition(words: words)
        let steps = latestSteps
        for state in MaterialStep.State.allCases.reversed() {
            let these = steps.filter { $0.state == state }
            guard !these.isEmpty else { continue }
            text.say(
                "tell.\(state.rawValue)", [name, list(these.map { onDay(quoted($0.name), $0.day) })],
                these.map { Source(.material, $0.materialId, on: $0.day) })
        }
        let lessons = material.period.completed.filter(\.isLesson)
        if !lessons.isEmpty {
            text.say(
                "tell.lessons", [name, list(lessons.map { onDay(titled($0.title), $0.completedOn) })],
                lessons.map { Source(.work, $0.id, on: $0.completedOn) })
        }
        text.endParagraph()
        for habit in material.period.habits where !habit.doneOn.isEmpty {
            text.say(
                "tell.habit", [titled(habit.name), habit.doneOn.count],
                habit.doneOn.map { Source(.habit, habit.id, on: $0) })
        }
        text.endParagraph()
        for note in notesForParents.suffix(Self.mostQuotes) {
            text.say(
                "tell.note", [day(note.day), Quotation.of(note.content)],
                [Source(.observation, note.id, on: note.day)])
        }
        text.endParagraph()
        let planned = material.period.open.filter { work in
            work.isLesson && work.scheduledFor.map { $0 > material.last } == true
        }.prefix(Self.mostPlanned)
        if !planned.isEmpty && !text.paragraphs.isEmpty {
            text.say(
                "tell.planned", [list(planned.map { onDay(titled($0.title), $0.scheduledFor) })],
                planned.map { Source(.work, $0.id, on: $0.scheduledFor) })
        }
        text.endParagraph()
        return text.paragraphs
    }

    /// The notes that name no other child.
    var notesForParents: [RecordedObservation] {
        material.period.observations.filter { note in
            note.taggedStudentIds.isEmpty
                && !material.others.contains { NamesInText.contains($0, in: note.content) }
        }
    }

    // MARK: - Parts of sentences

    /// How far the child came with each material, told once.
    var latestSteps: [MaterialStep] {
        var latest: [UUID: MaterialStep] = [:]
        for step in material.steps { latest[step.materialId] = step }
        return material.steps.filter { latest[$0.materialId] == $0 }
    }

    func day(_ day: Day) -> String { words.longDate(day) }

    func quoted(_ material: String) -> String { words("tell.material", material) }

    func titled(_ title: String) -> String { words("tell.title", title) }

    func onDay(_ thing: String, _ day: Day?) -> String {
        day.map { words("tell.onDay", thing, words.longDate($0)) } ?? thing
    }

    /// `a`, `a and b`, `a, b and c`.
    func list(_ things: [String]) -> String {
        guard let last = things.last, things.count > 1 else { return things.first ?? "" }
        return words("tell.and", things.dropLast().joined(separator: ", "), last)
    }

    /// Whose something is: `of Noah`, and in French `de Noah` or, before a vowel, `d’Anna`.
    func ofName(_ name: String) -> String {
        let isVowel = name.first.map { "aeiouyœæ".contains(NameFolding.fold(String($0)).first ?? " ") } == true
        return words(isVowel ? "tell.ofVowel" : "tell.of", name)
    }
}

/// Sentences one after the other, of which no two neighbours begin alike where the catalog has another way to say it.
struct Composition {
    /// How many ways the catalog has to say one thing.
    static let ways = 2

    let words: Words
    private(set) var paragraphs: [[Sentence]] = []
    private var current: [Sentence] = []
    private var lastOpening = ""

    init(words: Words) { self.words = words }

    mutating func say(_ key: String, _ arguments: [any WordsArgument], _ sources: [Source]) {
        let options = (1...Self.ways).map { words.text("\(key).\($0)", arguments) }
        let text = options.first { Self.opening($0) != lastOpening } ?? options[0]
        lastOpening = Self.opening(text)
        current.append(Sentence(text: text, sources: sources))
    }

    mutating func endParagraph() {
        if !current.isEmpty { paragraphs.append(current) }
        current = []
    }

    static func opening(_ text: String) -> String { String(text.prefix { !$0.isWhitespace }) }
}
