import FeatureKit

/// The declaration of the records that the block stores, with their retention, export and erasure.
enum OrganizationRecordStore {
    static let kinds = [
        RecordKind(
            "organization.people", "organization.records.people", personal: [.name, .email, .places, .files],
            erasure: .tombstone,
            tables: [
                RecordTable(
                    "people",
                    export: { _ in
                        """
                        SELECT id, given_name, family_name, preferred_name, email, number, grade_level, portrait,
                            external_id, created_at
                        FROM people ORDER BY sort_key, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT id, given_name, family_name, preferred_name, email, number, grade_level, portrait,
                            external_id, created_at
                        FROM people WHERE id = \(subject.personId)
                        """
                    },
                    erase: { subject in
                        """
                        UPDATE people SET given_name = \(subject.placeholder), family_name = '',
                            preferred_name = NULL, email = NULL, number = NULL, grade_level = NULL,
                            portrait = NULL, external_id = NULL, account_id = NULL,
                            sort_key = \(subject.placeholder.lowercased()), search_text = ''
                        WHERE id = \(subject.personId)
                        """
                    }, files: "SELECT portrait FROM people")
            ]),
        RecordKind(
            "organization.guardians", "organization.records.guardians", personal: [.role], erasure: .withPerson,
            tables: [
                RecordTable(
                    "guardians",
                    export: { _ in
                        "SELECT person_id, child_id, linked_at FROM guardians ORDER BY linked_at, person_id"
                    },
                    about: { subject in
                        """
                        SELECT person_id, child_id, linked_at FROM guardians
                        WHERE person_id = \(subject.personId) OR child_id = \(subject.personId) ORDER BY linked_at
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM guardians
                        WHERE person_id = \(subject.personId) OR child_id = \(subject.personId)
                        """
                    },
                    // A guardian who was invited for this child only and has not signed in.
                    dependents: { subject in
                        """
                        SELECT person_id FROM guardians WHERE child_id = \(subject.personId)
                            AND person_id NOT IN (
                                SELECT person_id FROM guardians WHERE child_id <> \(subject.personId))
                            AND person_id IN (SELECT id FROM people WHERE account_id IS NULL)
                        """
                    }), RecordTable("refused_child_requests"),
            ]),
        RecordKind(
            "organization.childRequests", "organization.records.childRequests", store: .directory,
            personal: [.email], retention: .days(90, in: 30...365), erasure: .withAccount,
            tables: [
                RecordTable(
                    "child_requests",
                    about: { subject in
                        "SELECT child, asked_at FROM child_requests WHERE account_id = \(subject.accountId)"
                    },
                    // Only requests with the child's address are deleted; a number could be another school's.
                    erase: { subject in
                        "DELETE FROM child_requests WHERE LOWER(child) = \((subject.email ?? "").lowercased())"
                    },
                    eraseAccount: { "DELETE FROM child_requests WHERE account_id = \($0)" },
                    expiry: .init(of: "child_requests", by: "asked_at", key: "id"))
            ]),
        RecordKind(
            "organization.school", "organization.records.school", store: .directory, personal: [],
            erasure: .withSchool,
            tables: [
                RecordTable(
                    "organizations",
                    export: { "SELECT id, name, time_zone, created_at FROM organizations WHERE id = \($0)" },
                    // Foreign keys delete memberships, invites, closings and active schools with it.
                    eraseSchool: { "DELETE FROM organizations WHERE id = \($0)" }),
                RecordTable("closings"), RecordTable("unfinished_removals"),
            ]),
        RecordKind(
            "organization.calendar", "organization.records.calendar", personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "days_off",
                    export: { _ in "SELECT id, name, first_day, last_day FROM days_off ORDER BY first_day, id" }),
                RecordTable(
                    "school_weekdays", export: { _ in "SELECT weekday FROM school_weekdays ORDER BY weekday" }),
            ]),
        RecordKind(
            "organization.memberships", "organization.records.memberships", store: .directory,
            personal: [.role], erasure: .withPerson,
            tables: [
                RecordTable(
                    "memberships",
                    export: {
                        """
                        SELECT person_id, role, created_at FROM memberships WHERE org_id = \($0)
                        ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT role, created_at FROM memberships
                        WHERE org_id = \(subject.schoolId) AND person_id = \(subject.personId)
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM memberships
                        WHERE org_id = \(subject.schoolId) AND person_id = \(subject.personId)
                        """
                    })
            ]),
        RecordKind(
            "organization.invites", "organization.records.invites", store: .directory, personal: [.role],
            erasure: .withPerson,
            tables: [
                RecordTable(
                    "invites",
                    export: {
                        """
                        SELECT role, person_id, created_by, created_at, expires_at, redeemed_at, revoked_at
                        FROM invites WHERE org_id = \($0) ORDER BY created_at, id
                        """
                    },
                    about: { subject in
                        """
                        SELECT role, created_at, expires_at, redeemed_at, revoked_at FROM invites
                        WHERE org_id = \(subject.schoolId) AND person_id = \(subject.personId)
                        """
                    },
                    erase: { subject in
                        """
                        DELETE FROM invites
                        WHERE org_id = \(subject.schoolId) AND person_id = \(subject.personId)
                        """
                    })
            ]),
        RecordKind(
            "organization.activeSchools", "organization.records.activeSchools", store: .directory,
            personal: [.devices], erasure: .withAccount,
            tables: [
                RecordTable(
                    "active_organizations",
                    eraseAccount: { "DELETE FROM active_organizations WHERE account_id = \($0)" })
            ]),
    ]
}
