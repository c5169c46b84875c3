import Domain
public import FeatureKit
public import Foundation

// Inputs are written like JSON: `["name": "Oak", "studentIds": .list([.id(ana)]), "count": 3]`.

extension InputValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral
{
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    public init(floatLiteral number: Double) { self = .number(number) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral items: InputValue...) { self = .list(items) }
    public init(dictionaryLiteral members: (String, InputValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
    public init(nilLiteral: ()) { self = .null }

    public static func id(_ id: UUID) -> InputValue { .text(id.text) }
    public static func ids(_ ids: some Sequence<UUID>) -> InputValue { .list(ids.map(InputValue.id)) }
}
