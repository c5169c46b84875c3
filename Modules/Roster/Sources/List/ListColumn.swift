import Domain

/// The columns of a plain list of people, recognized by their English and French headers.
enum ListColumn: String, CaseIterable, Sendable {
    case id, given, family, usedName, wholeName, preferred, email, number, grade, roles, classrooms, guardian,
        guardianEmail
    case birthDate, gender, middleNames
    /// What our own export wrote into the row (`ExportedValues`).
    case exported

    /// Whether the values are imported. The others are only compared or checked.
    var isUsed: Bool {
        switch self {
        case .birthDate, .gender, .middleNames, .exported: false
        default: true
        }
    }

    /// The most characters of a value.
    var longest: Int {
        switch self {
        case .id: 255
        case .number, .grade: 60
        default: 200
        }
    }

    /// The column for a header, or `nil` if the header is unknown.
    ///
    /// Case, accents, spaces, punctuation and text in brackets are ignored: `Prénom`, `prenom` and `PRÉNOM * (usuel)`
    /// are the same.
    init?(header: String) {
        var depth = 0
        let plain = header.filter { sign in
            if sign == "(" || sign == "[" { depth += 1 }
            defer { if sign == ")" || sign == "]" { depth = max(0, depth - 1) } }
            return depth == 0
        }
        let name = NameFolding.fold(plain).filter { $0.isLetter || $0.isNumber }
        guard let column = Self.names[name] else { return nil }
        self = column
    }

    private static let names: [String: ListColumn] = {
        let all: [ListColumn: String] = [
            .id: "id sourcedid externalid personid studentid identifiant identifiantunique uniqueid",
            .given:
                "givenname given firstname first forename prenom prenoms premierprenom prenomeleve prenomdeleleve",
            .family: "familyname family lastname last surname nom nomdefamille nomdenaissance nomeleve nomdeleleve",
            .wholeName: "name fullname nomcomplet",
            .preferred: "preferredname preferredgivenname preferred nickname prenomusuel surnom",
            .email: "email emailaddress mail courriel adressecourriel adresseelectronique adressemail adresseemail",
            .roles: "role roles",
            .classrooms:
                "classroom classrooms class classes homeroom room classe groupe salle division divisions libelledivision",
            .guardian:
                "guardian guardianname parent parentname responsable responsablelegal nomduresponsable tuteur "
                + "nomduparent parent1 responsable1",
            .guardianEmail: "guardianemail parentemail parentsemail courrielparent courrieldesparents emailparent "
                + "emaildesparents courrielresponsable courrielduresponsable emailresponsable emailduresponsable "
                + "guardianmail parentmail mailresponsable mailparent courrielduparent emailduparent",
            .birthDate: "birthdate dateofbirth birthday dob datedenaissance datenaissance naissance neele",
            .middleNames: "middlename middlenames deuxiemeprenom troisiemeprenom autresprenoms",
            .usedName: "nomdusage nomusage",
            .number: "number studentnumber identifier matricule numero ine numeroine identifiantnational",
            .grade: "grade grades gradelevel level niveau degre",
            .gender: "gender sex sexe genre codesexe",
            .exported: "exported",
        ]
        return all.reduce(into: [:]) { names, entry in
            for name in entry.value.split(separator: " ") { names[String(name)] = entry.key }
        }
    }()
}

/// The roles in a plain list, by their OneRoster names.
enum ListRole {
    /// The OneRoster name of a role in English or French, or `nil` if it is unknown.
    static func oneRosterName(_ text: String) -> String? { names[NameFolding.fold(text)] }

    private static let names: [String: String] = {
        let all = [
            "student": "student pupil child eleve etudiant etudiante enfant",
            "teacher": "teacher guide educator enseignant enseignante educateur educatrice professeur professeure",
            "parent": "parent guardian mother father mere pere tuteur tutrice",
            "administrator": "administrator admin administrateur administratrice",
        ]
        return all.reduce(into: [:]) { names, entry in
            for name in entry.value.split(separator: " ") { names[String(name)] = entry.key }
        }
    }()
}

/// A reader of written dates: `2015-04-03`, or `3/4/2015`, whose order of day and month may be ambiguous.
struct WrittenDays {
    /// The result of reading a date.
    enum Reading: Hashable { case day(Day), ambiguous, none }

    /// Whether the day comes before the month; `nil` if neither the column nor the language decides.
    private let isDayFirst: Bool?

    /// - Parameters:
    ///   - texts: All dates of a column. One with a number above twelve settles the order of the others.
    ///   - language: In French the day comes first.
    init(_ texts: some Sequence<String>, language: Language) {
        var (dayFirst, monthFirst) = (false, false)
        for (first, second, _) in texts.lazy.compactMap(Self.numbers) {
            if first > 12 { dayFirst = true }
            if second > 12 { monthFirst = true }
        }
        isDayFirst =
            switch (dayFirst, monthFirst, language) {
            case (true, true, _): nil
            case (true, false, _), (false, false, .french): true
            case (false, true, _): false
            case (false, false, .english): nil
            }
    }

    /// Reads one date of the column.
    func read(_ text: String) -> Reading {
        if let day = Day(text) { return .day(day) }
        guard let (first, second, year) = Self.numbers(text) else { return .none }
        let isPlain = first > 12 || second > 12 || first == second
        guard let isDayFirst = isPlain ? first > 12 || first == second : isDayFirst else { return .ambiguous }
        let day =
            isDayFirst ? Day(year: year, month: second, day: first) : Day(year: year, month: first, day: second)
        return day.map(Reading.day) ?? .none
    }

    /// The three numbers of a date such as `3/4/2015`, `03-04-2015` or `3.4.2015`.
    private static func numbers(_ text: String) -> (Int, Int, Int)? {
        let parts = text.split(omittingEmptySubsequences: false) { "/-.".contains($0) }
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3, parts[2].count == 4 else { return nil }
        return (numbers[0], numbers[1], numbers[2])
    }
}
