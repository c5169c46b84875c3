public import FeatureKit
public import ResidenceModel

extension StudentStatus: SQLConvertible {}
extension CheckInMethod: SQLConvertible {}
extension RecordType: SQLConvertible {}
extension RollCall.Status: SQLConvertible {}
extension Meal.Kind: SQLConvertible {}
extension MealChoice: SQLConvertible {}
extension Diet: SQLConvertible {}
extension PersonalTag.Kind: SQLConvertible {}
