public import FeatureKit

/// The tables that every database of PinkTower has beside those of its features.
public enum KernelMigrations {
    public static let school = [
        ChangeLog.migrations, IdempotentRequest.migrations, PendingChanges.schoolMigrations,
    ]
    public static let directory = [
        IdempotentRequest.migrations, SchoolSeals.migrations, PendingChanges.directoryMigrations,
    ]
}
