import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Insights

@Suite("Texts from a child's record")
struct WriterTests {
    let catalog: StringCatalog
    /// A Friday.
    let friday = Day("2026-11-20")!
    var monday: Day { friday.adding(days: -4) }
    let id = UUID()

    init() throws { catalog = try StringCatalog(in: .module) }

    func writer(
        _ name: String = "Noah", notes: [RecordedObservation] = [], completed: [RecordedWork] = [],
        open: [RecordedWork] = [], habits: [RecordedHabit] = [], absentOn: [Day] = [], steps: [MaterialStep] = [],
        tags: [UUID: String] = [:], others: [String] = [], language: Language = .english
    ) -> ChildWriter {
        ChildWriter(
            name: name, words: Words(language, [catalog]),
            material: ChildMaterial(
                first: monday, last: friday,
                period: ChildPeriod(
                    observations: notes, completed: completed, open: open, habits: habits, absentOn: absentOn),
                steps: steps, tags: tags, others: others))
    }

    func note(
        _ content: String, on day: Day? = nil, with others: [UUID] = [], subject: UUID? = nil
    ) -> RecordedObservation {
        RecordedObservation(
            id: UUID(), studentId: id, taggedStudentIds: others, day: day ?? friday, content: content,
            subjectTag: subject, materialTag: nil, followUpOn: nil)
    }

    func step(_ name: String, _ state: MaterialStep.State, _ day: Day) -> MaterialStep {
        MaterialStep(materialId: UUID(), name: name, state: state, day: day)
    }

    @Test("a summary contains materials, lessons, habits and the guide's notes, in both languages")
    func summary() {
        let habit = RecordedHabit(id: UUID(), name: "Coat on the hook", doneOn: [monday, friday])
        let lesson = RecordedWork(
            id: UUID(), isLesson: true, title: "Washing hands", scheduledFor: nil, completedOn: monday)
        func text(_ language: Language) -> String {
            writer(
                notes: [note("Built the tower alone. Then smiled.")], completed: [lesson], habits: [habit],
                steps: [step("Pink Tower", .presented, monday), step("Brown Stair", .mastered, friday)],
                language: language
            ).summary().text
        }
        #expect(
            text(.english) == """
                Noah has mastered Brown Stair (Friday, November 20). \
                New material: Pink Tower (Monday, November 16). \
                Completed lessons: “Washing hands” (Monday, November 16).

                The habit “Coat on the hook” was done on 2 days.

                On Friday, November 20 we wrote: “Built the tower alone.”
                """)
        #expect(
            text(.french) == """
                Noah maîtrise maintenant «\u{a0}Brown Stair\u{a0}» (vendredi 20 novembre). \
                Nouveau matériel\u{a0}: «\u{a0}Pink Tower\u{a0}» (lundi 16 novembre). \
                Leçons terminées\u{a0}: «\u{a0}Washing hands\u{a0}» (lundi 16 novembre).

                L’habitude «\u{a0}Coat on the hook\u{a0}» a été faite 2 jours.

                Le vendredi 20 novembre, nous avons noté\u{a0}: «\u{a0}Built the tower alone.\u{a0}»
                """)
    }

    @Test("without records the text says only that there are none")
    func nothing() {
        let empty = writer().summary()
        #expect(!empty.hasContent)
        #expect(empty.sentences.count == 1)
        #expect(empty.text.contains("We have no notes about Noah"))
        #expect(!writer().letter(from: "Maple").hasContent)
        #expect(writer().insights().isEmpty)
        #expect(writer().proposals(without: []).isEmpty)
    }

    @Test("notes that mention other children, by tag or by name, are left out of texts for parents")
    func others() {
        let notes = [
            note("Built with Mia the whole morning."), note("Shared the rug.", with: [UUID()]),
            note("Carried the tray with calm hands."), note("mía laughed"), note("The Miami map"),
        ]
        let text = writer(notes: notes, others: ["Mia"]).summary().text
        #expect(!text.contains("whole morning"))
        #expect(!text.contains("rug"))
        #expect(!text.contains("laughed"))
        #expect(text.contains("calm hands"))
        #expect(text.contains("Miami"))
    }

    @Test("tasks and absences are left out of texts for parents")
    func tasks() {
        let task = RecordedWork(
            id: UUID(), isLesson: false, title: "Ask the doctor", scheduledFor: friday.adding(days: 2),
            completedOn: monday)
        let text = writer(
            notes: [note("Poured water.")], completed: [task], open: [task], absentOn: [monday.adding(days: 1)]
        ).summary().text
        #expect(!text.contains("doctor"))
        #expect(!text.contains("November 17"))
    }

    @Test(
        "a quotation is the first sentence or its beginning",
        arguments: [
            ("One. Two.", "One."), ("  Spread \n over\tlines. More", "Spread over lines."), ("No end", "No end"),
            ("3.5 litres poured. Good", "3.5 litres poured."), ("看见了塔。然后", "看见了塔。"), ("", ""),
        ])
    func quotation(_ content: String, _ quoted: String) {
        #expect(Quotation.of(content) == quoted)
    }

    @Test("a long quotation is cut between words")
    func longQuotation() {
        let quoted = Quotation.of(String(repeating: "pouring ", count: 60))
        #expect(quoted.count <= Quotation.limit)
        #expect(quoted.hasSuffix("pouring…"))
        #expect(Quotation.of(String(repeating: "x", count: 900)).count == Quotation.limit)
    }

    @Test(
        "a French letter uses the correct possessive form of the name",
        arguments: [
            ("Anna", "d’Anna"), ("Émile", "d’Émile"), ("Noah", "de Noah"), ("Yasmine", "de Yasmine"),
            ("李雷", "de 李雷"),
        ])
    func elision(_ name: String, _ whose: String) {
        let letter = writer(name, notes: [note("Sang.")], language: .french).letter(from: "École Érable")
        #expect(
            letter.text.contains(
                "Voici la lettre de la semaine \(whose), du lundi 16 novembre au vendredi"))
        #expect(letter.text.hasPrefix("Chère famille,"))
        #expect(letter.text.hasSuffix("École Érable"))
    }

    @Test(
        "names are found as whole words in any script",
        arguments: [
            ("Will", "I will come", true), ("Will", "Willow sat", false), ("Ana", "Anaïs sat", false),
            ("Zoé", "zoe sat", true), ("雷", "李雷和", true), ("נועה", "ונועה באה", true),
            ("O’Neil", "O’Neil sat", true),
            ("J", "J sat", false), ("", "anything", false), ("Mia", "Mia’s tray", true),
        ])
    func names(_ name: String, _ text: String, _ isThere: Bool) {
        #expect(NamesInText.contains(name, in: text) == isThere, "\(name) in \(text)")
    }

    @Test(
        "insights have their source records, and proposals follow from them and are not repeated once accepted",
        .requirement("PT-2.23.a"))
    func patterns() {
        let subject = UUID()
        let notes = [monday, monday.adding(days: 1), friday].map { note("Counted.", on: $0, subject: subject) }
        let tower = step("Pink Tower", .presented, monday)
        let habit = RecordedHabit(id: UUID(), name: "Coat", doneOn: [])
        let writer = writer(notes: notes, habits: [habit], steps: [tower], tags: [subject: "Mathematics"])
        let insights = writer.insights()
        #expect(insights.first?.text == "Mathematics appears in 3 notes of 3.")
        #expect(insights.first?.sources == notes.map { Source(.observation, $0.id, on: $0.day) })
        #expect(insights.contains { $0.text == "Pink Tower: presented on Monday, November 16." })
        #expect(insights.allSatisfy { !$0.sources.isEmpty })
        let proposals = writer.proposals(without: [])
        #expect(
            proposals.map(\.title) == [
                "Pink Tower: practice again", "Next step in Mathematics", "Do it together: Coat",
            ])
        #expect(proposals.map(\.kind) == [.lesson, .lesson, .task])
        #expect(
            writer.proposals(without: Set(proposals.prefix(2).map(\.key))).map(\.title) == ["Do it together: Coat"])
        #expect(proposals == writer.proposals(without: []), "the same each time")
    }

    @Test("a habit is judged only after a week")
    func youngHabits() {
        func texts(madeOn: Day) -> [String] {
            let habit = RecordedHabit(id: UUID(), name: "Coat", doneOn: [], madeOn: madeOn)
            let writer = writer(notes: [], habits: [habit], steps: [], tags: [:])
            return writer.insights().map(\.text) + writer.proposals(without: []).map(\.title)
        }
        #expect(texts(madeOn: friday).isEmpty)
        #expect(texts(madeOn: monday.adding(days: 1)).isEmpty)
        #expect(texts(madeOn: monday.adding(days: -1)).count == 2)
    }

    @Test("guides read how progress with a material changed, and parents read the latest step")
    func moved() {
        let material = UUID()
        let steps = [
            MaterialStep(materialId: material, name: "Red Rods", state: .presented, day: monday),
            MaterialStep(materialId: material, name: "Red Rods", state: .practicing, day: friday),
        ]
        let writer = writer(steps: steps)
        #expect(
            writer.insights().map(\.text) == ["Red Rods: from presented to practicing, on Friday, November 20."])
        #expect(writer.summary().text == "Noah is practicing with Red Rods (Friday, November 20).")
    }

    // MARK: - No invented facts

    /// A random record with names and numbers that no template contains.
    func makeRecord(_ random: inout SeededGenerator, _ language: Language) -> ChildWriter {
        func pick<T>(_ all: [T]) -> T { all[Int.random(in: all.indices, using: &random)] }
        func number() -> Int { Int.random(in: 1000...9999, using: &random) }
        func some<T>(_ most: Int, _ make: () -> T) -> [T] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in make() }
        }
        func day() -> Day { monday.adding(days: Int.random(in: 0...4, using: &random)) }
        let subjects = [UUID(): "Zymurgy \(number())", UUID(): "Qiviut \(number())"]
        let names = ["Zoë", "Will", "李雷", "Anaïs", "O’Neil", "נועה"]
        return writer(
            pick(names),
            notes: some(7) {
                RecordedObservation(
                    id: UUID(), studentId: id, taggedStudentIds: some(1) { UUID() }, day: day(),
                    content: "Xylem \(number()) jumped. Vexed \(number()).",
                    subjectTag: pick(Array(subjects.keys)), materialTag: nil, followUpOn: some(1) { day() }.first)
            }.sorted { $0.day < $1.day },
            completed: some(3) {
                RecordedWork(
                    id: UUID(), isLesson: pick([true, false]), title: "Quartz \(number())", scheduledFor: nil,
                    completedOn: day())
            },
            open: some(3) {
                RecordedWork(
                    id: UUID(), isLesson: true, title: "Onyx \(number())",
                    scheduledFor: friday.adding(days: Int.random(in: 1...9, using: &random)), completedOn: nil)
            },
            habits: some(3) {
                RecordedHabit(id: UUID(), name: "Fjord \(number())", doneOn: Array(Set(some(4) { day() })).sorted())
            },
            absentOn: some(2) { day() },
            steps: some(5) { step("Basalt \(number())", pick(MaterialStep.State.allCases), day()) }
                .sorted { $0.day < $1.day },
            tags: subjects, language: language)
    }

    /// The facts that the source records of a sentence allow.
    func facts(_ sentence: Sentence, _ writer: ChildWriter) -> [String] {
        let material = writer.material
        var facts = [writer.name, writer.day(material.first), writer.day(material.last)]
        for source in sentence.sources {
            if let day = source.day { facts.append(writer.day(day)) }
            switch source.kind {
            case .observation:
                for note in material.period.observations where note.id == source.id {
                    facts += [note.content, Quotation.of(note.content)]
                    facts += [note.subjectTag.flatMap { material.tags[$0] }, note.followUpOn.map(writer.day)]
                        .compactMap(\.self)
                }
            case .work:
                facts += (material.period.completed + material.period.open).filter { $0.id == source.id }.map(
                    \.title)
            case .habit: facts += material.period.habits.filter { $0.id == source.id }.map(\.name)
            case .material: facts += material.steps.filter { $0.materialId == source.id }.map(\.name)
            case .absence: break
            }
        }
        return facts.sorted { $0.count > $1.count }
    }

    @Test(
        "each name, number and day of a sentence is in its source records",
        arguments: Language.allCases)
    func invents(_ language: Language) throws {
        var random = SeededGenerator(seed: 42)
        let gap = try Regex("%([0-9]+\\$)?(lld|@)")
        let known = Set(
            (catalog.entries[language] ?? [:]).values.flatMap { entry -> [String] in
                switch entry {
                case .text(let text): [text]
                case .plural(let forms): Array(forms.values)
                }
            }.flatMap { $0.replacing(gap, with: " ").split { !$0.isLetter && !$0.isNumber }.map(String.init) })
        var checked = 0
        for _ in 0..<300 {
            let writer = makeRecord(&random, language)
            let total = String(writer.material.period.observations.count)
            let sentences =
                writer.summary().sentences + writer.letter(from: "Maple").sentences + writer.insights()
                + writer.proposals(without: []).map(\.reason)
            for sentence in sentences {
                var rest = sentence.text
                for fact in facts(sentence, writer) + ["Maple"] {
                    rest = rest.replacingOccurrences(of: fact, with: " ")
                }
                let counts = [String(sentence.sources.count), total]
                let foreign = rest.split { !$0.isLetter && !$0.isNumber }.map(String.init)
                    .filter { !known.contains($0) && !counts.contains($0) }
                #expect(foreign.isEmpty, "\(foreign) in: \(sentence.text)")
                checked += 1
            }
        }
        #expect(checked > 2000)
    }

    @Test(
        "neighboring sentences begin differently if the catalog has another variant", arguments: Language.allCases
    )
    func openings(_ language: Language) {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let sentences = makeRecord(&random, language).summary().sentences
            for (one, next) in zip(sentences, sentences.dropFirst()) {
                #expect(Composition.opening(one.text) != Composition.opening(next.text), "\(one.text) \(next.text)")
            }
        }
    }

    @Test("no text blames a person", .requirement("BY-1.22.d"), arguments: Language.allCases)
    func blames(_ language: Language) {
        let said = (catalog.entries[language] ?? [:]).filter { key, _ in
            ["sentence.", "insight.", "proposal."].contains { key.hasPrefix($0) }
        }
        #expect(said.count > 30)
        for (key, entry) in said {
            #expect(BlameWords.found(in: "\(entry)", language) == [], "\(key)")
        }
    }
}
