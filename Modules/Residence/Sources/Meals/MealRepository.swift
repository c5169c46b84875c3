import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of menus, choices and diets.
enum MealRepository {
    static func meal(_ id: UUID, in sql: any SQLReading) throws -> Meal? {
        try meals("id = \(id)", in: sql).first
    }

    /// The meals of a residence from one day through another, in the order of their days and times.
    static func meals(of residenceId: UUID, from first: Day, through last: Day, in sql: any SQLReading) throws
        -> [Meal]
    {
        try meals("residence_id = \(residenceId) AND day >= \(first) AND day <= \(last)", in: sql)
    }

    private static func meals(_ condition: SQL, in sql: any SQLReading) throws -> [Meal] {
        try sql.rows("SELECT * FROM residence_meals WHERE \(condition) ORDER BY day, time, id").map { row in
            try Meal(
                id: row.get("id"), pgId: row.get("residence_id"), day: row.get("day"), kind: row.get("kind"),
                time: row.get("time"), dish: row.get("dish"),
                diets: Set(
                    row.get("diets", as: String.self).split(separator: " ").compactMap {
                        Diet(rawValue: String($0))
                    }),
                cutOff: row.get("cut_off"))
        }
    }

    /// Stores a meal in the place of the one of that day and kind. Choices stay.
    static func save(_ meal: Meal, in sql: any SQLWriting) throws {
        let diets = Diet.allCases.filter(meal.diets.contains).map(\.rawValue).joined(separator: " ")
        try sql.execute(
            """
            INSERT INTO residence_meals (id, residence_id, day, kind, time, dish, diets, cut_off)
            VALUES (\(meal.id), \(meal.pgId), \(meal.day), \(meal.kind), \(meal.time), \(meal.dish), \(diets),
                \(meal.cutOff))
            ON CONFLICT (residence_id, day, kind) DO UPDATE SET time = excluded.time, dish = excluded.dish,
                diets = excluded.diets, cut_off = excluded.cut_off
            """)
    }

    /// Deletes a meal with its choices.
    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residence_meals WHERE id = \(id)")
    }

    /// What residents chose, by meal and resident.
    static func choices(of meals: [UUID], in sql: any SQLReading) throws -> [UUID: [UUID: MealChoice]] {
        guard !meals.isEmpty else { return [:] }
        return try sql.rows(
            "SELECT meal_id, student_id, choice FROM residence_meal_choices WHERE meal_id IN \(list: meals)"
        ).reduce(into: [:]) { found, row in
            found[try row.get("meal_id"), default: [:]][try row.get("student_id")] = try row.get(
                "choice", as: MealChoice.self)
        }
    }

    /// Stores a choice, unless a choice that was made later is stored.
    static func choose(
        _ choice: MealChoice, of mealId: UUID, for studentId: UUID, by personId: UUID, at instant: Date,
        in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO residence_meal_choices (meal_id, student_id, choice, chosen_by, chosen_at)
            VALUES (\(mealId), \(studentId), \(choice), \(personId), \(instant))
            ON CONFLICT (meal_id, student_id) DO UPDATE SET choice = excluded.choice,
                chosen_by = excluded.chosen_by, chosen_at = excluded.chosen_at
            WHERE excluded.chosen_at >= residence_meal_choices.chosen_at
            """)
    }

    static func diet(of studentId: UUID, in sql: any SQLReading) throws -> ResidentDiet? {
        try sql.row("SELECT * FROM residence_diets WHERE student_id = \(studentId)").map(diet)
    }

    /// The diets of those who live in a residence now.
    static func diets(of residenceId: UUID, in sql: any SQLReading) throws -> [UUID: ResidentDiet] {
        try sql.rows(
            """
            SELECT residence_diets.* FROM residents
            JOIN residence_diets ON residence_diets.student_id = residents.person_id
            WHERE residents.residence_id = \(residenceId)
            """
        ).reduce(into: [:]) { $0[try $1.get("student_id")] = try diet($1) }
    }

    private static func diet(_ row: SQLRow) throws -> ResidentDiet {
        try ResidentDiet(
            studentId: row.get("student_id"), diet: row.get("diet"), allergies: row.optional("allergies"),
            carriesPen: row.get("carries_pen"))
    }

    static func save(_ diet: ResidentDiet, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_diets (student_id, diet, allergies, carries_pen, changed_at)
            VALUES (\(diet.studentId), \(diet.diet), \(diet.allergies), \(diet.carriesPen), \(now))
            ON CONFLICT (student_id) DO UPDATE SET diet = excluded.diet, allergies = excluded.allergies,
                carries_pen = excluded.carries_pen, changed_at = excluded.changed_at
            """)
    }
}
