extension FieldReader {
    /// The description of an input field in the OpenAPI document.
    public struct Specification: Sendable, Hashable {
        public var name: String
        public var type: Kind
        public var isRequired: Bool
        public var minLength: Int?
        public var maxLength: Int?
        public var minimum: Int?
        public var maximum: Int?
        public var choices: [String]?
        /// The fields of an object, or of each object in a list.
        public var fields: [Specification] = []

        /// The type of a field's value in the OpenAPI document.
        public enum Kind: String, Sendable, Hashable {
            case text, secret, email, id, day, instant, integer, number, flag, choice, idList, textList, objectList,
                files
        }
    }
}
