public import FeatureKit

/// The kernel's own tables, in the directory and in the database of every school.
public enum KernelMigrations {
    public static let school = [
        ChangeLog.migrations, IdempotentRequest.migrations, PendingChanges.schoolMigrations,
    ]
    public static let directory = [
        IdempotentRequest.migrations, SchoolSeals.migrations, PendingChanges.directoryMigrations,
    ]
}
