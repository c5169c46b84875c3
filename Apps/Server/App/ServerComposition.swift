public import Domain
public import FeatureKit
public import FeatureRuntime
import Foundation
import Integrations
import Logging
public import Persistence
public import Web
public import WebHTML

/// The ports on which blocks are built.
struct ServerPorts: Sendable {
    let directory: any Database
    let schools: any SchoolDatabases
    let files: any SchoolFiles
    let blobs: any SchoolBlobs
    /// The files that are being sent in parts.
    let partialFiles: any PartialFiles
    /// The pages of PDF documents as pictures.
    let pages: any DocumentPages
    let archives: any Archiving
    let hub: ChangeHub
    /// The folder of files that wait for their download.
    let workFolder: URL
    /// The largest backup that a browser can send, in bytes.
    let restoreLimit: Int
    let hasher: any SecretHasher
    let clock: any WallClock
    let ids: any IDGenerator
    let mailer: any Mailer
    let outbox: any MailOutbox
    let cryptography: any Cryptography
    let push: any PushSender
    /// Logs an error that occurred outside of requests; its text names no person.
    let report: @Sendable (String) -> Void
    let images: any ImageShrinking
    let publicURL: String
    let confirmsMail: Bool
    let provider: (any IdentityProvider)?
    let models: ModelServerSettings
    let searches: any SearchIndexes
    /// Returns the ids of all schools with a database.
    let allSchools: @Sendable () async throws -> [UUID]

    /// The stores of copies of records that do not belong to a block.
    var stores: [DerivedStore] { [searches.store, outbox.store, pages.store] }
}

/// A server with all its parts, which does not listen yet.
public struct ServerComposition: Sendable {
    public let directory: SQLiteDatabase
    public let schools: SQLiteSchools
    public let hub: ChangeHub
    public let pipeline: Pipeline
    public let words: [Language: Words]
    public let web: WebDependencies
    public let assets: Assets
    public let clock: any WallClock
    public let ids: any IDGenerator
    let blocks: Blocks
    public var features: FeatureSet { blocks.features }
    /// The service that finds the account of a session's token.
    public var authenticator: any Authenticator { blocks.authenticator }
    let seals: SealBook
    let mails: MailQueue
    let stores: [DerivedStore]

    /// The names of files and folders that may be in the data folder: those that a feature block declares, and those
    /// without data about people.
    public var places: Set<String> {
        var places: Set = ["schools", "blobs", "secret.key", "push.key", "serving.lock", "probe", "uploads"]
        for end in ["", "-wal", "-shm"] { places.insert("directory.sqlite\(end)") }
        return (stores + features.features.flatMap(\.storage.stores)).reduce(into: places) {
            $0.formUnion($1.places)
        }
    }

    /// Opens the data folder, builds the feature blocks that are switched on, and migrates the server's directory
    /// database.
    ///
    /// Each school's database is migrated when it is opened.
    public static func build(
        _ settings: ServerSettings, clock: any WallClock = SystemClock(), ids: any IDGenerator = SystemIDGenerator()
    ) async throws -> ServerComposition {
        let folder = settings.dataFolder
        let configuration = SQLiteConfiguration(commitDelayMilliseconds: settings.commitDelay)
        let hasher: any SecretHasher =
            settings.weakPasswordHash ? ScryptHasher(.init(cost: 16, blockSize: 1)) : ScryptHasher()
        // Databases need the blocks' migrations, and blocks need the databases. Therefore blocks get databases that
        // are set later.
        let late = LateDatabases()
        let hub = ChangeHub()
        let logger = Logger(label: "server")
        let mails = MailQueue(
            settings.sendmail.map(MailQueue.Transport.sendmail) ?? .folder, in: folder.appending(path: "outbox"),
            from: settings.mailFrom
        ) { error in logger.error("A mail could not be sent: \(type(of: error))") }
        let cryptography = SystemCryptography(keyFile: folder.appending(path: "secret.key"))
        let (push, identification) = try settings.pushSender(clock: clock)
        let blobs = FolderBlobs(
            in: Persistence.blobsFolder(in: folder), clock: clock, hash: SystemCryptography.blobHash)
        let ports = ServerPorts(
            directory: late, schools: late, files: late, blobs: blobs,
            partialFiles: FolderPartialFiles(in: Persistence.partialFolder(in: folder)),
            pages: PopplerPages(in: Persistence.pagesFolder(in: folder)), archives: FileArchives(),
            hub: hub,
            workFolder: folder.appending(path: "files"), restoreLimit: settings.restoreLimit << 20, hasher: hasher,
            clock: clock, ids: ids, mailer: mails, outbox: mails, cryptography: cryptography,
            push: push, report: { logger.warning("\($0)") }, images: GDImages(),
            publicURL: settings.publicURL, confirmsMail: settings.confirmsMail,
            provider: try settings.apple?.provider(app: settings.apns) { logger.warning("\($0)") },
            models: settings.models,
            searches: SQLiteSearchIndexes(in: Persistence.searchFolder(in: folder)),
            allSchools: { try await late.all() })
        let blocks = try Blocks(ports, wanted: settings.features)
        let features = blocks.features
        try DataFolder.prepare(folder)
        try cryptography.prepare()
        try identification.prepare()
        let directory = try await SQLiteDatabase.open(
            at: Persistence.directoryFile(in: folder), migrations: features.directoryMigrations,
            configuration: configuration)
        let seals = SealBook(directory: directory, clock: clock)
        let schools = try SQLiteSchools(
            in: Persistence.schoolsFolder(in: folder), migrations: features.schoolMigrations,
            configuration: configuration,
            opened: { id, school in
                do {
                    guard let loss = try await seals.compare(id, school) else { return }
                    logger.error(
                        """
                        The file of school \(id.text) has lost the entries \(loss.first) to \(loss.last) of its \
                        change log, with the changes that they recorded. Restore a backup, or run \
                        `pinktower check`.
                        """)
                } catch {
                    logger.error("The seal of school \(id.text) could not be compared: \(type(of: error))")
                }
            },
            foundDamaged: { id in
                logger.error("The file of school \(id.text) is damaged. Restore a backup of it.")
            })
        late.set(directory, schools)
        try await blocks.schools?.adopt { try await schools.all() }
        try await blocks.accounts?.fillSessionCache()

        let catalogs = try features.features.map(\.catalog) + [.featureKit(), WebHTML.catalog(), WebCatalog.read()]
        let words = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, Words($0, catalogs)) })
        let pipeline = Pipeline(
            directory: directory, schools: schools, blobs: blobs, hub: hub, clock: clock, ids: ids, hasher: hasher,
            sightings: Sightings { error in
                logger.error("Who saw a record could not be noted: \(type(of: error))")
            }, refuseClosed: { try blocks.schools?.refuseClosed($0, in: $1) }, probe: WriteProbe(folder).check,
            report: { error in logger.error("A school's log waits for an entry: \(type(of: error))") })
        let web = WebDependencies(
            features: features, pipeline: pipeline, hub: hub, authenticator: blocks.authenticator,
            memberships: blocks.memberships, preferences: blocks.preferences, words: words,
            settings: WebSettings(
                isSecure: settings.isSecure, trustsProxy: settings.trustsProxy, appId: settings.apns?.appId,
                uploadFolder: UploadFolder(folder.appending(path: "uploads")), limits: settings.limits))
        return ServerComposition(
            directory: directory, schools: schools, hub: hub, pipeline: pipeline, words: words,
            web: web,
            assets: try .shared(islands: features.islands, links: features.openedLinks), clock: clock, ids: ids,
            blocks: blocks, seals: seals, mails: mails, stores: ports.stores)
    }

    /// Checks every second whether another process has written to the directory, and refreshes the caches if so.
    ///
    /// Such a process is a restore on the command line, for example. Runs until the task is canceled.
    func watchOthers() async {
        var last: String?
        while !Task.isCancelled {
            do {
                try await Task.sleep(for: .seconds(1))
                let version = try await directory.othersVersion()
                if let last, version != last { try await refreshCaches() }
                last = version ?? last
            } catch is CancellationError {
                return
            } catch {
                // If the directory cannot be read now, the caches are refreshed at the next check.
                last = last ?? ""
            }
        }
    }

    /// Clears all cached data from the server's directory database and the schools' databases, and reads the valid
    /// sessions again.
    public func refreshCaches() async throws {
        clearCaches()
        try await blocks.accounts?.fillSessionCache()
    }

    /// Clears all cached data from the server's directory database and the schools' databases, because another process
    /// has changed them.
    public func clearCaches() {
        blocks.clearCaches()
        hub.clearLatest()
        schools.closeRemoved()
    }

    /// Runs the background jobs of all feature blocks once, now.
    public func runJobs() async { await jobs(Logger(label: "jobs")).runDue() }

    /// Returns the runner of the jobs. A failure is logged with the job and the school, without names of people.
    func jobs(_ logger: Logger) -> JobRunner {
        JobRunner(
            [pipeline.pendingChangesJob] + features.features.flatMap(\.jobs) + [seals.job(hub, schools)],
            directory: directory, schools: schools,
            allSchools: { try await schools.all() }, hub: hub, clock: clock, ids: ids
        ) { fault in
            let school = fault.schoolId.map { " of school \($0.text)" } ?? ""
            logger.error("The job \(fault.job)\(school) failed: \(type(of: fault.error))")
        }
    }

    /// Closes every database file of the server. Every answered change is on disk already.
    public func close() async throws {
        hub.close()
        await pipeline.sightings.drain()
        await mails.drain()
        do {
            try await seals.storeAllSeals(hub, schools)
        } catch {
            // A seal that cannot be noted must not prevent closing; the next start compares with the earlier one.
            Logger(label: "server").error("The seals could not be noted: \(type(of: error))")
        }
        try await schools.close()
        try await directory.close()
    }
}

extension SQLiteConfiguration {
    init(commitDelayMilliseconds: Int) {
        self.init()
        commitDelay = commitDelayMilliseconds == 0 ? nil : .milliseconds(commitDelayMilliseconds)
    }
}
