public import FeatureKit

/// The tables of the kernel, the modules under all feature blocks, in the server's directory database and in every
/// school's database.
public enum KernelMigrations {
    /// The migrations of the kernel's tables in a school's database.
    public static let school = [
        ChangeLog.migrations, IdempotentRequest.migrations, PendingChanges.schoolMigrations,
    ]
    /// The migrations of the kernel's tables in the server's directory database.
    public static let directory = [
        IdempotentRequest.migrations, SchoolSeals.migrations, PendingChanges.directoryMigrations,
    ]
}
