import ClassroomInterface
import CurriculumInterface
import Domain
import Foundation

/// A child's records of a period, with the names of their tags.
struct ChildMaterial: Sendable {
    let first: Day
    let last: Day
    let period: ChildPeriod
    let steps: [MaterialStep]
    /// The names of subjects and materials by id, in the language of the text.
    let tags: [UUID: String]
    /// The names of the other children in the child's classrooms.
    let others: [String]
}

/// Writes texts about a child from the record alone. The same record always gives the same text.
struct ChildWriter: Sendable {
    /// The most notes that a text for parents quotes, and the most planned lessons that it names.
    static let mostQuotes = 5
    static let mostPlanned = 3

    /// The name by which the child is addressed.
    let name: String
    let words: Words
    let material: ChildMaterial

    // MARK: - For parents

    /// Returns a summary of the period (PT-2.22).
    func summary() -> ComposedText {
        let paragraphs = forParents()
        return paragraphs.isEmpty
            ? ComposedText(paragraphs: [[nothing]], hasContent: false)
            : ComposedText(paragraphs: paragraphs, hasContent: true)
    }

    /// Returns the letter of a week (BY-1.22).
    ///
    /// - Parameter school: the name that signs the letter.
    func letter(from school: String) -> ComposedText {
        let paragraphs = forParents()
        let greeting = Sentence(text: words("sentence.letter.greeting"), sources: [])
        let opening = Sentence(
            text: words("sentence.letter.opening", ofName(name), day(material.first), day(material.last)),
            sources: [])
        let closing = Sentence(text: words("sentence.letter.closing", school), sources: [])
        return ComposedText(
            paragraphs: [[greeting], [opening]] + (paragraphs.isEmpty ? [[nothing]] : paragraphs) + [[closing]],
            hasContent: !paragraphs.isEmpty)
    }

    private var nothing: Sentence {
        Sentence(
            text: material.first == material.last
                ? words("sentence.nothing.day", name, day(material.first))
                : words("sentence.nothing", name, day(material.first), day(material.last)), sources: [])
    }

    /// Paragraphs about the work, the habits, the guide's notes and planned lessons.
    ///
    /// Tasks are for guides only, and parents already know of absences, so both are left out.
    private func forParents() -> [[Sentence]] {
        var text = Composition(words: words)
        let steps = latestSteps
        for state in MaterialStep.State.allCases.reversed() {
            let these = steps.filter { $0.state == state }
            guard !these.isEmpty else { continue }
            text.say(
                "sentence.\(state.rawValue)", [name, list(these.map { onDay(quoted($0.name), $0.day) })],
                these.map { Source(.material, $0.materialId, on: $0.day) })
        }
        let lessons = material.period.completed.filter(\.isLesson)
        if !lessons.isEmpty {
            text.say(
                "sentence.lessons", [name, list(lessons.map { onDay(titled($0.title), $0.completedOn) })],
                lessons.map { Source(.work, $0.id, on: $0.completedOn) })
        }
        text.endParagraph()
        for habit in material.period.habits where !habit.doneOn.isEmpty {
            text.say(
                "sentence.habit", [titled(habit.name), habit.doneOn.count],
                habit.doneOn.map { Source(.habit, habit.id, on: $0) })
        }
        text.endParagraph()
        for note in notesForParents.suffix(Self.mostQuotes) {
            text.say(
                "sentence.note", [day(note.day), Quotation.of(note.content)],
                [Source(.observation, note.id, on: note.day)])
        }
        text.endParagraph()
        let planned = material.period.open.filter { work in
            work.isLesson && work.scheduledFor.map { $0 > material.last } == true
        }.prefix(Self.mostPlanned)
        if !planned.isEmpty && !text.paragraphs.isEmpty {
            text.say(
                "sentence.planned", [list(planned.map { onDay(titled($0.title), $0.scheduledFor) })],
                planned.map { Source(.work, $0.id, on: $0.scheduledFor) })
        }
        text.endParagraph()
        return text.paragraphs
    }

    /// The notes that mention no other child.
    var notesForParents: [RecordedObservation] {
        material.period.observations.filter { note in
            note.taggedStudentIds.isEmpty
                && !material.others.contains { NamesInText.contains($0, in: note.content) }
        }
    }

    // MARK: - Parts of sentences

    /// The last step with each material.
    var latestSteps: [MaterialStep] {
        var latest: [UUID: MaterialStep] = [:]
        for step in material.steps { latest[step.materialId] = step }
        return material.steps.filter { latest[$0.materialId] == $0 }
    }

    func day(_ day: Day) -> String { words.longDate(day) }

    func quoted(_ material: String) -> String { words("sentence.material", material) }

    func titled(_ title: String) -> String { words("sentence.title", title) }

    func onDay(_ thing: String, _ day: Day?) -> String {
        day.map { words("sentence.onDay", thing, words.longDate($0)) } ?? thing
    }

    /// Joins a list: `a`, `a and b`, `a, b and c`.
    func list(_ things: [String]) -> String {
        guard let last = things.last, things.count > 1 else { return things.first ?? "" }
        return words("sentence.and", things.dropLast().joined(separator: ", "), last)
    }

    /// The possessive form of a name: `Noah’s`, in French `de Noah` or, before a vowel, `d’Anna`.
    func ofName(_ name: String) -> String { words("sentence.of", name) }
}

/// Builds paragraphs in which neighboring sentences begin differently if the catalog has another variant.
struct Composition {
    /// The number of variants of each sentence in the catalog.
    static let variantCount = 2

    let words: Words
    private(set) var paragraphs: [[Sentence]] = []
    private var current: [Sentence] = []
    private var lastOpening = ""

    init(words: Words) { self.words = words }

    mutating func say(_ key: String, _ arguments: [any WordsArgument], _ sources: [Source]) {
        let options = (1...Self.variantCount).map { words.text("\(key).\($0)", arguments) }
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
