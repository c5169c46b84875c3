public import FeatureKit
public import ResidenceModel

extension ClockTime: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64(minutes)) }

    public init?(sqlValue: SQLValue) {
        guard case .integer(let minutes) = sqlValue, let minutes = Int(exactly: minutes) else { return nil }
        self.init(minutes: minutes)
    }
}

extension StudentStatus: SQLConvertible {}
extension CheckInMethod: SQLConvertible {}
extension RecordType: SQLConvertible {}
extension RollCall.Status: SQLConvertible {}
extension Meal.Kind: SQLConvertible {}
extension MealChoice: SQLConvertible {}
extension Diet: SQLConvertible {}
extension PersonalTag.Kind: SQLConvertible {}
