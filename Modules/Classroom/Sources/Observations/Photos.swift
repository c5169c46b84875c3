import ClassroomInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation

extension Photo {
    /// The largest number of photos in one observation.
    static let limit = 6
    /// The longer sides of a photo and of its thumbnail, in pixels.
    static let side = 1600
    static let thumbnailSide = 320

    /// The size of the thumbnail in pixels.
    var thumbnailSize: (width: Int, height: Int) {
        let scale = min(1, Double(Self.thumbnailSide) / Double(max(width, height, 1)))
        return (max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded())))
    }
}

/// Reduces the photos that people upload and stores them in the school's files.
struct PhotoIntake: Sendable {
    let images: any ImageShrinking

    /// The largest body of a command with photos, in bytes. It fits six photos that a device has reduced, or one or
    /// two as a camera takes them.
    static let bodyLimit = 2 * ImageLimits.bytes

    func put(_ files: [UploadedFile], field: String, _ context: RequestContext) async throws -> [Photo] {
        var photos: [Photo] = []
        for file in files {
            let made = try await shrunk(file, to: [Photo.side, Photo.thumbnailSide], field: field)
            let (picture, small) = (made[0], made[1])
            let store = try context.files
            try await photos.append(
                Photo(
                    hash: store.put(picture.bytes), thumbnail: store.put(small.bytes), width: picture.width,
                    height: picture.height))
        }
        return photos
    }

    /// Returns the picture in each size. Throws a fault with the file's name if the file is not a picture.
    func shrunk(
        _ file: UploadedFile, to sizes: [Int], field: String
    ) async throws -> [ShrunkImage] {
        do throws(ImageFault) {
            return try await images.shrink(file.content, to: sizes)
        } catch {
            throw Problem.invalid(field, error.code, [.text(file.name)])
        }
    }
}

extension ImageFault {
    fileprivate var code: String {
        switch self {
        case .notAnImage: "photo.notAnImage"
        case .damaged: "photo.damaged"
        case .tooManyPixels: "photo.tooManyPixels"
        case .tooManyBytes: "photo.tooManyBytes"
        }
    }
}

enum PhotoRepository {
    /// Replaces the photos of an observation with these, in this order.
    static func set(_ photos: [Photo], of observationId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM observation_photos WHERE observation_id = \(observationId)")
        for (position, photo) in photos.enumerated() {
            try sql.execute(
                """
                INSERT INTO observation_photos (observation_id, position, sha256, thumbnail_sha256, width, height)
                VALUES (\(observationId), \(position), \(photo.hash), \(photo.thumbnail), \(photo.width),
                    \(photo.height))
                """)
        }
    }

    static func photos(of observationIds: [UUID], in sql: any SQLReading) throws -> [UUID: [Photo]] {
        try sql.rows(
            """
            SELECT observation_id, sha256, thumbnail_sha256, width, height FROM observation_photos
            WHERE observation_id IN \(list: observationIds) ORDER BY observation_id, position
            """
        ).reduce(into: [:]) { photos, row in
            try photos[row.get("observation_id"), default: []].append(
                Photo(
                    hash: row.get("sha256"), thumbnail: row.get("thumbnail_sha256"), width: row.get("width"),
                    height: row.get("height")))
        }
    }

    /// Whether the file is a photo, or the thumbnail of one, in an observation of the child.
    static func shows(
        _ hash: BlobHash, _ observationId: UUID, ofStudent studentId: UUID, in sql: any SQLReading
    ) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM observation_photos
            JOIN observation_children ON observation_children.observation_id = observation_photos.observation_id
            WHERE observation_photos.observation_id = \(observationId)
                AND observation_children.student_id = \(studentId)
                AND (observation_photos.sha256 = \(hash) OR observation_photos.thumbnail_sha256 = \(hash))
            """)
    }
}

/// The download of photos. Each request checks whether the caller may see the child.
enum PhotoDownload {
    static func path(_ hash: BlobHash, _ observationId: UUID, ofStudent studentId: UUID) -> String {
        "/students/\(studentId.text)/observations/\(observationId.text)/photos/\(hash)"
    }

    static let route = DownloadRoute(
        "/students/{studentId}/observations/{observationId}/photos/{hash}", access: .member(.viewClassrooms)
    ) { parameters, context in
        guard let studentId = parameters["studentId"].flatMap(UUID.init(text:)),
            let observationId = parameters["observationId"].flatMap(UUID.init(text:)),
            let hash = parameters["hash"].flatMap(BlobHash.init(_:))
        else { throw Problem.notFound }
        let membership = try context.membership
        try await context.school.read { sql in
            try StudentAccess.check(studentId, membership, in: sql)
            guard try PhotoRepository.shows(hash, observationId, ofStudent: studentId, in: sql) else {
                throw Problem.notFound
            }
        }
        return try await DownloadedFile(hash, .jpeg, of: context.files)
    }
}

extension Observation {
    /// Returns the thumbnails of the observation's photos, for a page about the child.
    func images(for studentId: UUID, _ words: Words) -> [PTImage] {
        attachments.enumerated().map { index, photo in
            let size = photo.thumbnailSize
            return PTImage(
                url: PhotoDownload.path(photo.thumbnail, id, ofStudent: studentId), width: size.width,
                height: size.height, alt: words("photo.alt", index + 1, attachments.count),
                large: PhotoDownload.path(photo.hash, id, ofStudent: studentId))
        }
    }
}
