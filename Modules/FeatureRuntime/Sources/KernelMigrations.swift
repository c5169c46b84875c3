public import FeatureKit

/// The kernel's own tables, in the directory and in the database of every school.
public enum KernelMigrations {
    /// The migrations of the kernel's tables in a school's database.
    public static let school = [
        ChangeLog.migrations, IdempotentRequest.migrations, PendingChanges.schoolMigrations,
    ]
    /// The migrations of the kernel's tables in the directory.
    public static let directory = [
        IdempotentRequest.migrations, SchoolSeals.migrations, PendingChanges.directoryMigrations,
    ]
}
