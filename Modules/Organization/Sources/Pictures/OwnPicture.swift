import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

struct SetOwnPicture: Command {
    static let contract = Contract(
        "profile.setPicture", "/api/v1/profile/picture", access: .member(.belong),
        bodyLimit: ImageLimits.bytes + 64 * 1024,
        summary: "Gives the caller a picture in the active school, or takes it away.")
    typealias Result = Done

    let picture: UploadedFile?
    let removes: Bool

    init(_ fields: inout FieldReader) {
        picture = fields.optionalFiles("picture", max: 1).first
        removes = fields.flag("removes")
    }
}

/// The picture that people choose for themselves in a school. The column holds the hash of a file of the school.
/// The picture's address contains the hash, so that a new picture has a new address.
struct OwnPicture: Sendable {
    /// The longer side of a stored picture in pixels.
    static let side = 320

    let images: any ImageShrinking

    var command: CommandRegistration {
        .handle(
            SetOwnPicture.self,
            prepare: { command, context in
                guard command.picture != nil || command.removes else {
                    throw Problem.invalid("picture", "required")
                }
                return try await hash(of: command.picture, context)
            },
            run: { _, hash, context in
                let personId = try context.membership.personId
                try PeopleRepository.set(portrait: hash, of: personId, in: context.sql)
                context.record(
                    Change(
                        "members.updated", topics: ["members"],
                        audience: Audience.roles([.superAdmin, .admin]) + [.person(personId)],
                        payload: ["person": personId.text]))
                context.feedback = Feedback(
                    .toast, context.words(hash == nil ? "profile.pictureRemoved" : "profile.pictureSaved"))
                return Done()
            })
    }

    private func hash(of file: UploadedFile?, _ context: RequestContext) async throws -> BlobHash? {
        guard let file else { return nil }
        let made: [ShrunkImage]
        do throws(ImageFault) {
            made = try await images.shrink(file.content, to: [Self.side])
        } catch {
            throw Problem.invalid("picture", error.code, [.text(file.name)])
        }
        return try await context.files.put(made[0].bytes)
    }

    var download: DownloadRoute {
        DownloadRoute("/people/{personId}/picture/{hash}", access: .member(.belong)) { parameters, context in
            guard let id = parameters["personId"].flatMap(UUID.init(text:)),
                let hash = parameters["hash"].flatMap(BlobHash.init(_:)),
                try await context.school.read({ try PeopleRepository.portrait(of: id, in: $0) }) == hash
            else { throw Problem.notFound }
            return try await DownloadedFile(hash, .jpeg, of: context.files)
        }
    }

    /// The section of Settings > Account > Profile with the person's picture.
    var section: PageSection {
        PageSection(.profile, order: 10, permission: .belong, topics: { _ in ["members"] }) { personId, request in
            let words = request.words
            let address = try await request.context.school.read {
                try PeopleRepository.portrait(of: personId, in: $0).map { PeopleTable.picture($0, of: personId) }
            }
            var fields = [
                PTField(
                    .photos(side: Self.side, max: 1), name: "picture",
                    label: words(address == nil ? "profile.choosePicture" : "profile.replacePicture"),
                    hint: words("profile.pictureHint"))
            ]
            if address != nil {
                fields.append(PTField(.toggle, name: "removes", label: words("profile.removePicture")))
            }
            let shown = address.map {
                PTImage(url: $0, width: 128, height: 128, alt: words("profile.yourPicture"), shape: .circle)
            }
            return (shown.map { [.image($0)] } ?? []) + [
                .form(
                    request.form(
                        SetOwnPicture.self, id: "picture", fields: fields,
                        submit: SubmitButton(title: words("profile.savePicture"), role: .tonal), style: .card))
            ]
        }
    }
}

extension ImageFault {
    /// The code of the refusal of a picture.
    var code: String {
        switch self {
        case .notAnImage: "profile.notAnImage"
        case .damaged: "profile.damaged"
        case .tooManyPixels: "profile.tooManyPixels"
        case .tooManyBytes: "profile.tooManyBytes"
        }
    }
}
