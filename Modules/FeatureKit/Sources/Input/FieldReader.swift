public import Domain
public import Foundation

/// Reads the fields of a command or query, with one call per field.
///
/// The same calls do three jobs, so that they cannot disagree. They decode the input (JSON strictly, forms from
/// text), collect the faults of *all* fields, and, called once without input, describe the fields for the OpenAPI
/// document. An initializer must therefore read every field on every path, without branching on values that it read.
public struct FieldReader {
    private let object: [String: InputValue]
    let isForm: Bool
    let isDescribing: Bool
    let path: String
    private var read: Set<String> = []
    private var ignoresOthers = false
    /// The faults of the input that were found so far, in the order of the calls.
    public internal(set) var faults: [Fault] = []
    /// The descriptions of the fields that were read, when the reader describes.
    public private(set) var specifications: [Specification] = []

    /// Creates a reader of an object; `null` counts as an empty one. Throws `Problem` 400 for any other input.
    /// - Parameter isForm: whether values are text, as a form sends them: `"3"` is a number, `"on"` a flag, and an
    ///   empty field is absent.
    public init(_ input: InputValue, isForm: Bool = false) throws {
        switch input {
        case .object(let object): self.object = object
        case .null: object = [:]
        default: throw Problem(400, "objectExpected")
        }
        self.isForm = isForm
        isDescribing = false
        path = ""
    }

    init(object: [String: InputValue], isForm: Bool, isDescribing: Bool, path: String) {
        self.object = object
        self.isForm = isForm
        self.isDescribing = isDescribing
        self.path = path
    }

    /// Reads a whole input. Throws one `Problem` with every fault, unknown fields among them.
    public static func read<Input>(
        _ input: InputValue, isForm: Bool = false, _ make: (inout FieldReader) -> Input
    ) throws -> Input {
        var reader = try FieldReader(input, isForm: isForm)
        let result = make(&reader)
        reader.refuseUnknownFields()
        guard reader.faults.isEmpty else { throw Problem.invalid(reader.faults) }
        return result
    }

    /// Returns the descriptions of the fields that `make` reads, for the OpenAPI document.
    public static func describe<Input>(_ make: (inout FieldReader) -> Input) -> [Specification] {
        var reader = FieldReader(object: [:], isForm: false, isDescribing: true, path: "")
        _ = make(&reader)
        return reader.specifications
    }

    // MARK: - Fields

    /// Reads text, trimmed. Control characters other than line breaks and tabs of multiline text are refused.
    /// - Parameter max: the largest length in Unicode scalars.
    public mutating func text(_ name: String, max: Int = 200, multiline: Bool = false) -> String {
        declare(name, .text) {
            $0.minLength = 1; $0.maxLength = max
        }
        return requiredText(name, max: max, multiline: multiline) ?? ""
    }

    /// Reads text, trimmed; `nil` if the field is absent or blank.
    public mutating func optionalText(_ name: String, max: Int = 200, multiline: Bool = false) -> String? {
        declare(name, .text, isRequired: false) { $0.maxLength = max }
        return checkedText(name, max: max, multiline: multiline)
    }

    /// Reads a person's whole name on one line, as `PersonName.trimmed` stores it.
    public mutating func name(_ name: String, max: Int = 200) -> String {
        PersonName.trimmed(text(name, max: max))
    }

    /// Reads the given and the family name of a person. One of them is enough; if both are missing, the fault is the
    /// first field's.
    public mutating func nameParts(
        _ given: String, _ family: String, max: Int = 100
    ) -> (given: String, family: String) {
        let parts = (
            given: PersonName.trimmed(optionalText(given, max: max) ?? ""),
            family: PersonName.trimmed(optionalText(family, max: max) ?? "")
        )
        let isFaulty = faults.contains { [path + given, path + family].contains($0.field) }
        refuse(given, "nameMissing", unless: isFaulty || !parts.given.isEmpty || !parts.family.isEmpty)
        return parts
    }

    /// Reads the text of a field unchecked and untrimmed, for callers that clean it and check its length themselves.
    public mutating func writing(_ name: String, max: Int, isRequired: Bool = true) -> String {
        declare(name, .text, isRequired: isRequired) {
            $0.minLength = isRequired ? 1 : 0
            $0.maxLength = max
        }
        return rawText(name) ?? (isRequired ? missing(name, "") : "")
    }

    /// Reads a password or code. It is not trimmed, and no answer repeats it.
    public mutating func secret(_ name: String, min: Int = 1, max: Int = 200) -> String {
        declare(name, .secret) {
            $0.minLength = min; $0.maxLength = max
        }
        guard let value = rawText(name) else { return missing(name, "") }
        guard !value.isEmpty else { return missing(name, "") }
        if value.count < min { fault(name, "tooShort", [.number(min)]) }
        if value.count > max { fault(name, "tooLong", [.number(max)]) }
        return value
    }

    /// Reads a password or code that may be absent; empty text is `nil`.
    public mutating func optionalSecret(_ name: String, max: Int = 200) -> String? {
        declare(name, .secret, isRequired: false) { $0.maxLength = max }
        guard let value = rawText(name), !value.isEmpty else { return nil }
        if value.count > max { fault(name, "tooLong", [.number(max)]) }
        return value
    }

    /// Reads an email address and returns it in lower case (`EmailAddress.isValid`).
    public mutating func email(_ name: String) -> String {
        declare(name, .email) { $0.maxLength = 254 }
        return requiredText(name, max: 254, multiline: false).map { checkedEmail(name, $0) } ?? ""
    }

    /// Reads an email address and returns it in lower case; `nil` if the field is absent.
    public mutating func optionalEmail(_ name: String) -> String? {
        declare(name, .email, isRequired: false) { $0.maxLength = 254 }
        return checkedText(name, max: 254, multiline: false).map { checkedEmail(name, $0) }
    }

    private mutating func checkedEmail(_ name: String, _ value: String) -> String {
        if !EmailAddress.isValid(value) { fault(name, "email") }
        return value.lowercased()
    }

    /// Reads the UUID in a field.
    public mutating func id(_ name: String) -> UUID {
        declare(name, .id)
        return checkedId(name) ?? missing(name, UUID(uuid: nilUUID))
    }

    /// Reads the UUID in a field; `nil` if the field is absent.
    public mutating func optionalId(_ name: String) -> UUID? {
        declare(name, .id, isRequired: false)
        return checkedId(name)
    }

    /// Reads the day in a field, between 1900 and 2199 (`2026-11-21`).
    public mutating func day(_ name: String) -> Day {
        declare(name, .day)
        return checkedDay(name) ?? missing(name, FieldReader.neutralDay)
    }

    /// Reads the day in a field (`2026-11-21`); `nil` if the field is absent.
    public mutating func optionalDay(_ name: String) -> Day? {
        declare(name, .day, isRequired: false)
        return checkedDay(name)
    }

    /// Reads one of an enumeration's raw values.
    /// - Parameter offered: the cases that are allowed here.
    public mutating func choice<Choice>(
        _ name: String, of type: Choice.Type = Choice.self, among offered: [Choice] = Array(Choice.allCases)
    ) -> Choice where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        declare(name, .choice) { $0.choices = offered.map(\.rawValue) }
        return checkedChoice(name, offered)
            ?? missing(name, offered.first ?? Choice.allCases[Choice.allCases.startIndex])
    }

    /// Reads one of an enumeration's raw values; `nil` if the field is absent.
    public mutating func optionalChoice<Choice>(
        _ name: String, of type: Choice.Type = Choice.self, among offered: [Choice] = Array(Choice.allCases)
    ) -> Choice? where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        declare(name, .choice, isRequired: false) { $0.choices = offered.map(\.rawValue) }
        return checkedChoice(name, offered)
    }

    /// Reads a whole number from a field; `standard` if the field is absent.
    public mutating func integer(_ name: String, in range: ClosedRange<Int>, default standard: Int) -> Int {
        declare(name, .integer, isRequired: false) {
            $0.minimum = range.lowerBound
            $0.maximum = range.upperBound
        }
        guard let value = take(name) else { return standard }
        let number: Int?
        switch value {
        case .number(let double): number = Int(exactly: double)
        case .text(let text) where isForm: number = Int(text)
        default: number = nil
        }
        guard let number else {
            fault(name, "integer")
            return standard
        }
        guard range.contains(number) else {
            fault(name, "outOfRange", [.number(range.lowerBound), .number(range.upperBound)])
            return standard
        }
        return number
    }

    /// Reads a number with or without a fraction. Numbers that are too large for `Double` are out of range.
    public mutating func number(_ name: String, in range: ClosedRange<Int>) -> Double {
        let neutral = Double(range.lowerBound)
        return number(name, in: range, isRequired: true) ?? (isFaulty(name) ? neutral : missing(name, neutral))
    }

    /// Reads a number with or without a fraction; `nil` if the field is absent.
    public mutating func optionalNumber(_ name: String, in range: ClosedRange<Int>) -> Double? {
        number(name, in: range, isRequired: false)
    }

    private mutating func number(_ name: String, in range: ClosedRange<Int>, isRequired: Bool) -> Double? {
        declare(name, .number, isRequired: isRequired) {
            $0.minimum = range.lowerBound
            $0.maximum = range.upperBound
        }
        guard let value = take(name) else { return nil }
        let number: Double?
        switch value {
        case .number(let double): number = double
        case .text(let text) where isForm: number = Double(text)
        default: number = nil
        }
        guard let number, !number.isNaN else {
            fault(name, "number")
            return nil
        }
        guard number >= Double(range.lowerBound), number <= Double(range.upperBound) else {
            fault(name, "outOfRange", [.number(range.lowerBound), .number(range.upperBound)])
            return nil
        }
        return number
    }

    /// Reads an instant such as `2026-11-21T08:15:30Z`, with or without a fraction and an offset (RFC 3339).
    public mutating func instant(_ name: String) -> Date {
        let neutral = Date(timeIntervalSince1970: 0)
        return instant(name, isRequired: true) ?? (isFaulty(name) ? neutral : missing(name, neutral))
    }

    /// Reads an instant that may be absent (RFC 3339); `nil` if it is.
    public mutating func optionalInstant(_ name: String) -> Date? { instant(name, isRequired: false) }

    private mutating func instant(_ name: String, isRequired: Bool) -> Date? {
        declare(name, .instant, isRequired: isRequired)
        guard let text = rawText(name) else { return nil }
        guard let instant = FieldReader.instant(text) else {
            fault(name, "instant")
            return nil
        }
        return instant
    }

    /// Reads a time of day such as `20:00`; midnight stands in for a missing or wrong one, which is a fault.
    public mutating func clockTime(_ name: String) -> ClockTime {
        let text = text(name, max: 5)
        let time = ClockTime(text)
        refuse(name, "time", unless: time != nil || text.isEmpty)
        return time ?? .midnight
    }

    /// Reads a time of day such as `20:00` that may be absent; `nil` if it is.
    public mutating func optionalClockTime(_ name: String) -> ClockTime? {
        guard let text = optionalText(name, max: 5) else { return nil }
        let time = ClockTime(text)
        refuse(name, "time", unless: time != nil)
        return time
    }

    private func isFaulty(_ name: String) -> Bool { faults.contains { $0.field == path + name } }

    private static func instant(_ text: String) -> Date? {
        guard text.utf8.count <= 35 else { return nil }
        for style in [Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true)] {
            do {
                return try style.parse(text)
            } catch {
                continue
            }
        }
        return nil
    }

    /// Reads a flag (`true` or `false`); an absent one is `false`.
    public mutating func flag(_ name: String) -> Bool {
        declare(name, .flag, isRequired: false)
        switch take(name) {
        case nil: return false
        case .bool(let value): return value
        case .text("on"), .text("true"), .text("1"):
            if isForm { return true }
        case .text("off"), .text("false"), .text("0"):
            if isForm { return false }
        default: break
        }
        fault(name, "flag")
        return false
    }

    /// Accepts unknown fields, for senders of requests that this project cannot correct.
    public mutating func ignoreOthers() { ignoresOthers = true }

    /// Adds a fault that is found only by comparing several fields, such as an end before its start.
    public mutating func refuse(
        _ name: String, _ code: String, _ arguments: [Fault.Argument] = [], unless isFine: Bool = false
    ) {
        if !isFine && !isDescribing { fault(name, code, arguments) }
    }

    // MARK: - Inside

    private static let neutralDay = Day(Date(timeIntervalSince1970: 0), in: .gmt)

    mutating func declare(
        _ name: String, _ type: Specification.Kind, isRequired: Bool = true,
        _ detail: (inout Specification) -> Void = { _ in }
    ) {
        guard isDescribing else { return }
        var specification = Specification(name: name, type: type, isRequired: isRequired)
        detail(&specification)
        specifications.append(specification)
    }

    mutating func fault(_ name: String, _ code: String, _ arguments: [Fault.Argument] = []) {
        faults.append(Fault(path + name, code, arguments))
    }

    /// Marks a field as read and returns its value; `nil` if it is absent, null, or an empty form field.
    mutating func take(_ name: String) -> InputValue? {
        read.insert(name)
        switch object[name] {
        case nil, .null: return nil
        case .text(""): return isForm ? nil : .text("")
        case .some(let value): return value
        }
    }

    mutating func missing<Value>(_ name: String, _ neutral: Value) -> Value {
        if !isDescribing && !isFaulty(name) { fault(name, "required") }
        return neutral
    }

    private mutating func rawText(_ name: String) -> String? {
        switch take(name) {
        case nil: return nil
        case .text(let text): return text
        default:
            fault(name, "text")
            return nil
        }
    }

    /// Returns the text without white space at its ends. Foundation's `trimmingCharacters` is slower: it bridges to
    /// NSString.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...last])
    }

    private mutating func checkedText(_ name: String, max: Int, multiline: Bool) -> String? {
        guard let raw = rawText(name) else { return nil }
        let value = FieldReader.trimmed(raw)
        guard value.unicodeScalars.contains(where: FieldReader.isVisible) else { return nil }
        // Counting scalars keeps a single letter from carrying any number of combining marks.
        if value.unicodeScalars.count > max {
            fault(name, "tooLong", [.number(max)])
        } else if value.unicodeScalars.contains(where: { FieldReader.isControl($0, multiline: multiline) }) {
            fault(name, "control")
        }
        return value
    }

    private mutating func requiredText(_ name: String, max: Int, multiline: Bool) -> String? {
        guard let value = checkedText(name, max: max, multiline: multiline) else {
            return missing(name, nil)
        }
        return value
    }

    private static func isControl(_ scalar: Unicode.Scalar, multiline: Bool) -> Bool {
        if multiline && (scalar == "\n" || scalar == "\r" || scalar == "\t") { return false }
        // Line and paragraph separators, and the overrides that show letters in another order, count as control
        // characters.
        return scalar.properties.generalCategory == .control
            || [0x2028, 0x2029, 0x202D, 0x202E].contains(scalar.value)
    }

    /// Whether a scalar is visible. Text of nothing but joiners and zero-width spaces is blank; some scripts need
    /// them between letters.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        // Control characters count as visible here, so that they are refused with their own fault.
        default: !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private mutating func checkedId(_ name: String) -> UUID? {
        guard let text = rawText(name) else { return nil }
        guard let id = UUID(text: text) else {
            fault(name, "id")
            return nil
        }
        return id
    }

    private mutating func checkedDay(_ name: String) -> Day? {
        guard let text = rawText(name) else { return nil }
        guard let day = Day(text) else {
            fault(name, "day")
            return nil
        }
        guard Day.plausibleYears.contains(day.year) else {
            fault(name, "dayFar")
            return nil
        }
        return day
    }

    private mutating func checkedChoice<Choice>(_ name: String, _ offered: [Choice]) -> Choice?
    where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
        guard let text = rawText(name) else { return nil }
        guard let choice = offered.first(where: { $0.rawValue == text }) else {
            fault(name, "choice", [.text(offered.map(\.rawValue).joined(separator: ", "))])
            return nil
        }
        return choice
    }

    mutating func refuseUnknownFields() {
        guard !ignoresOthers else { return }
        for name in object.keys.sorted() where !read.contains(name) && !name.hasPrefix("_") {
            fault(String(name.prefix(60)), "unknown")
        }
    }
}

/// The zero UUID, returned for an id that could not be read. No entity has it.
private let nilUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
