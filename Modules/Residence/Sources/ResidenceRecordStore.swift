import FeatureKit

/// The data that the block stores, and what happens to it when a person is erased.
enum ResidenceRecordStore {
    static let kinds = [
        RecordKind(
            "residence.houses", "residence.records.houses", personal: [.role], erasure: .withSchool,
            tables: [
                RecordTable("residences", export: { _ in "SELECT * FROM residences ORDER BY id" }),
                RecordTable(
                    "residence_rooms", export: { _ in "SELECT * FROM residence_rooms ORDER BY id" },
                    texts: .init(of: "residence_rooms", columns: ["details"])),
                RecordTable(
                    "residence_staff",
                    export: { _ in "SELECT * FROM residence_staff ORDER BY residence_id, person_id" },
                    about: {
                        "SELECT residence_id, job FROM residence_staff WHERE person_id = \($0.personId) ORDER BY job"
                    },
                    erase: { "DELETE FROM residence_staff WHERE person_id = \($0.personId)" }),
            ]),
        RecordKind(
            "residence.residents", "residence.records.residents", personal: [.enrolment], erasure: .withPerson,
            tables: [
                RecordTable(
                    "residents", export: { _ in "SELECT * FROM residents ORDER BY person_id" },
                    about: { "SELECT * FROM residents WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM residents WHERE person_id = \($0.personId)" }),
                RecordTable(
                    "residence_stays", export: { _ in "SELECT * FROM residence_stays ORDER BY first_day, id" },
                    about: {
                        """
                        SELECT residence_id, room_id, first_day, left_on FROM residence_stays
                        WHERE student_id = \($0.personId) ORDER BY first_day
                        """
                    },
                    erase: { "DELETE FROM residence_stays WHERE student_id = \($0.personId)" }),
            ]),
    ]
}
