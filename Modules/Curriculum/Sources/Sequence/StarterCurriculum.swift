import ClassroomInterface
import CurriculumInterface
import Foundation

/// The subjects and materials that every school begins with, from `Resources/materials.json`.
enum StarterCurriculum {
    /// An error in the file.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// The distance between neighboring positions, so that a school can put its own entries between them.
    static let step = 1000

    /// Reads all entries. Throws if the file is missing or malformed.
    static func entries() throws -> [CurriculumEntry] {
        guard
            let url = Bundle.module.url(
                forResource: "materials", withExtension: "json", subdirectory: "Resources")
        else { throw Malformed(description: "\(Bundle.module.bundlePath) has no Resources/materials.json") }
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        let subjects = Dictionary(file.subjects.map { ($0.slug, $0.id) }, uniquingKeysWith: { first, _ in first })
        let materials = Dictionary(
            file.materials.map { ($0.slug, $0.id) }, uniquingKeysWith: { first, _ in first })
        func id(_ slug: String, in ids: [String: UUID]) throws -> UUID {
            guard let id = ids[slug] else { throw Malformed(description: "materials.json has no '\(slug)'") }
            return id
        }
        return file.subjects.enumerated().map { index, subject in
            CurriculumEntry(
                id: subject.id, kind: .subject, name: subject.en, nameFrench: subject.fr,
                position: (index + 1) * step)
        }
            + (try file.materials.enumerated().map { index, material in
                try CurriculumEntry(
                    id: material.id, kind: .material, subjectId: id(material.subject, in: subjects),
                    name: material.en, nameFrench: material.fr, band: material.band, position: (index + 1) * step,
                    requires: material.requires.map { try id($0, in: materials) })
            })
    }

    private struct File: Decodable {
        let subjects: [Subject]
        let materials: [Material]
    }
    private struct Subject: Decodable {
        let id: UUID
        let slug: String
        let en: String
        let fr: String
    }
    private struct Material: Decodable {
        let id: UUID
        let slug: String
        let subject: String
        let en: String
        let fr: String
        let band: AgeBand
        let requires: [String]
    }
}
