import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import TestKit
import Testing

@testable import Coursework

@Suite("Rubrics")
struct RubricTests {
    @Test("a teacher adds criteria with levels, changes one and deletes one")
    func edit() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Fair", "3"), ("Strong", "5")])
        let facts = try await fixture.criterion(one, "Facts", [("Wrong", "0"), ("Right", "10")])
        #expect(try await fixture.rubric(one).map(\.title) == ["Style", "Facts"])
        _ = try await fixture.criterion(one, "Language", [("Weak", "1"), ("Strong", "6")], id: style.id)
        _ = try await fixture.school.execute(
            DeleteCriterion.self, ["assignmentId": .id(one.id), "criterionId": .id(facts.id)], as: fixture.teacher)
        let rubric = try await fixture.rubric(one)
        #expect(rubric.map(\.id) == [style.id] && rubric.first?.title == "Language")
        #expect(rubric.first?.levels.map(\.points) == ["1", "6"])
        let page = try await fixture.outline("/assignments/\(one.id.text)/rubric", as: fixture.teacher)
        #expect(page.contains("Strong · 6") && page.contains("Points: 6 of 20"))
    }

    @Test("a criterion has at least two levels, and a rubric gives no more points than the assignment")
    func limits() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign(points: "10")
        let single = try await problem { _ = try await fixture.criterion(one, "Style", [("Weak", "0")]) }
        #expect(single?.faults.map(\.code) == ["coursework.levels"])
        let above = try await problem {
            _ = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "11")])
        }
        #expect(above?.faults.map(\.code) == ["coursework.rubricAbove"])
        for number in 1...Rubric.mostCriteria {
            _ = try await fixture.criterion(one, "Criterion \(number)", [("No", "0"), ("Yes", "1")])
        }
        let ninth = try await problem {
            _ = try await fixture.criterion(one, "Ninth", [("No", "0"), ("Yes", "1")])
        }
        #expect(ninth?.code == "coursework.rubricFull")
    }

    @Test("only the teachers of the course can change a rubric")
    func access() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        for caller in [fixture.stranger, fixture.mia, fixture.mother] {
            let refused = try await problem {
                _ = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")], as: caller)
            }
            #expect([403, 404].contains(refused?.status))
        }
    }

    @Test("the levels give the score, and points that the teacher enters take their place")
    func score() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Fair", "3"), ("Strong", "5")])
        let facts = try await fixture.criterion(one, "Facts", [("Wrong", "0"), ("Right", "10")])
        try await fixture.handIn(one, as: fixture.mia)
        let half = try await fixture.choose(one, [(style, 2)])
        #expect(half.points == nil, "a criterion without a level gives no score")
        let missing = try await problem { _ = try await fixture.choose(one, [], version: 1, returns: true) }
        #expect(missing?.faults.map(\.field) == ["level2"])
        let whole = try await fixture.choose(one, [(facts, 1)], version: 1)
        #expect(whole.points == "15", "the level that was chosen before stays")
        let other = try await fixture.choose(one, [(style, 1)], version: 2)
        #expect(other.points == "13")
        let entered = try await fixture.choose(one, [(style, 1)], points: "14", version: 3)
        #expect(entered.points == "14")
    }

    @Test("a level that does not exist is refused, and the score stays")
    func unknown() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")])
        let other = try await fixture.criterion(
            try await fixture.assign("Other"), "Style", [("Weak", "0"), ("Strong", "5")])
        for choice in [(style, 2), (other, 1)] {
            let refused = try await problem { _ = try await fixture.choose(one, [choice]) }
            #expect(refused?.code == "coursework.rubricChanged")
        }
        #expect(try await fixture.choose(one, [(style, 1)]).version == 1)
    }

    @Test("points of levels that students have cannot be changed, and other words can")
    func used() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")])
        _ = try await fixture.choose(one, [(style, 1)])
        let refused = try await problem {
            _ = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "6")], id: style.id)
        }
        #expect(refused?.code == "coursework.rubricUsed")
        _ = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Good", "5")], id: style.id)
        #expect(try await fixture.rubric(one).first?.levels.last?.title == "Good")
    }

    @Test("the student sees the levels once the work is returned, and not before")
    func student() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")])
        try await fixture.handIn(one, as: fixture.mia)
        _ = try await fixture.choose(one, [(style, 1)])
        let path = "/assignments/\(one.id.text)"
        let before = try await fixture.outline(path, as: fixture.mia)
        #expect(before.contains("Weak · 0, Strong · 5") && !before.contains("5 of 20"))
        _ = try await fixture.returnAll(one)
        for person in [fixture.mia, fixture.mother] {
            let after = try await fixture.outline(path, as: person)
            #expect(after.contains("Style") && after.contains("Strong · 5") && after.contains("5 of 20"))
        }
        let noah = try await fixture.outline(path, as: fixture.noah)
        #expect(!noah.contains("5 of 20"))
    }

    @Test("the page for scoring has a choice for each criterion and says what the rubric gives")
    func marking() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")])
        let path = "/assignments/\(one.id.text)/marking/\(CourseworkFixture.id(fixture.mia).text)"
        #expect(try await fixture.outline(path, as: fixture.teacher).contains("Strong · 5"))
        _ = try await fixture.choose(one, [(style, 1)])
        let page = try await fixture.school.environment.page(path, as: fixture.teacher)
        let points = page.forms.flatMap(\.fields).first { $0.name == "points" }
        #expect(points?.value == "" && points?.hint?.contains("By the rubric: 5 out of 20") == true)
    }

    @Test("a copy of an assignment has its rubric, and deleting the assignment deletes it")
    func copy() async throws {
        let fixture = try await CourseworkFixture()
        let one = try await fixture.assign()
        let style = try await fixture.criterion(one, "Style", [("Weak", "0"), ("Strong", "5")])
        _ = try await fixture.choose(one, [(style, 1)])
        let copy = try await fixture.school.execute(
            CopyAssignment.self, ["assignmentId": .id(one.id), "courseId": .id(fixture.course.id)],
            as: fixture.teacher)
        _ = try await fixture.school.execute(
            DeleteAssignment.self, ["assignmentId": .id(one.id)], as: fixture.teacher)
        let copied = try await fixture.rubric(copy)
        #expect(copied.map(\.title) == ["Style"] && copied.map(\.id) != [style.id])
        let left = try await fixture.school.database.read {
            try $0.rows("SELECT 1 FROM coursework_levels").count
        }
        #expect(left == 0)
    }
}

extension CourseworkFixture {
    @discardableResult
    func criterion(
        _ one: Assignment, _ title: String, _ levels: [(String, String)], id: UUID? = nil, as caller: Caller? = nil
    ) async throws -> RubricCriterion {
        var fields: [String: InputValue] = ["assignmentId": .id(one.id), "title": .text(title)]
        fields["criterionId"] = id.map { .id($0) }
        for (index, level) in levels.enumerated() {
            fields["title\(index + 1)"] = .text(level.0)
            fields["points\(index + 1)"] = .text(level.1)
        }
        return try await school.execute(SaveCriterion.self, .object(fields), as: caller ?? teacher)
    }

    func rubric(_ one: Assignment) async throws -> [RubricCriterion] {
        try await school.answer(ListRubric.self, ["assignmentId": .id(one.id)], as: teacher).items
    }

    /// Marks the work of Mia with levels of a rubric.
    func choose(
        _ one: Assignment, _ choices: [(RubricCriterion, Int)], points: String? = nil, version: Int = 0,
        returns: Bool = false
    ) async throws -> MarkedWork {
        var fields: [String: InputValue] = [
            "assignmentId": .id(one.id), "studentId": .id(Self.id(mia)), "version": .number(Double(version)),
        ]
        fields["points"] = points.map { .text($0) }
        for (place, choice) in choices.enumerated() {
            fields["level\(place + 1)"] = .text(RubricChoice(choice.0.id, choice.1).text)
        }
        return returns
            ? try await school.execute(MarkAndReturnWork.self, .object(fields), as: teacher)
            : try await school.execute(MarkWork.self, .object(fields), as: teacher)
    }
}
