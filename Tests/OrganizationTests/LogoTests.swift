import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Organization

@Suite("The school's logo")
struct LogoTests {
    private let picture = InputValue.file(
        UploadedFile(name: "logo.png", contentType: "image/png", bytes: TestPictures.photo))

    @Test("an administrator sets, replaces and removes the logo, which is made anew and shown to the school only")
    func logo() async throws {
        let org = try await OrganizationFixture()
        let ana = try await org.founder()
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        func stored() async throws -> SchoolLogo? {
            try await org.environment.context(of: ana).school.read { try SQLSchoolLogos().logo(in: $0) }
        }
        try await org.environment.execute(SetLogo.self, ["logo": picture], as: ana)
        let logo = try #require(try await stored())
        #expect(logo.hash != BlobHash(of: TestPictures.photo), "the uploaded file is never served")
        #expect(max(logo.width, logo.height) == LogoHandlers.side)
        for caller in [ana, ben] {
            let page = try await org.environment.outline("/settings/organization", as: caller).description
            #expect(page.contains("Logo of Maple"))
            #expect(page.contains("Replace the logo") == (caller.membership == ana.membership))
        }
        let route = try #require(org.feature.endpoints.downloads.first { $0.path.hasPrefix("/school/logo") })
        func fetch(as caller: Caller) async throws -> DownloadedFile {
            try await route.file(["hash": logo.hash.text], org.environment.context(of: caller))
        }
        #expect(try await fetch(as: ben).contentType == "image/jpeg")
        let stranger = try await org.founder("Birch", "Eve Foreign")
        await #expect(throws: Problem.notFound) { try await fetch(as: stranger) }
        let refused = try await problem {
            try await org.environment.execute(SetLogo.self, ["logo": picture], as: ben)
        }
        #expect(refused?.status == 403)
        try await org.environment.execute(SetLogo.self, ["removes": true], as: ana)
        #expect(try await stored() == nil)
        await #expect(throws: Problem.notFound) { try await fetch(as: ana) }
    }

    @Test("a drawing in SVG and an empty form are refused")
    func refused() async throws {
        let org = try await OrganizationFixture()
        let ana = try await org.founder()
        let svg = InputValue.file(
            UploadedFile(name: "logo.svg", contentType: "image/svg+xml", bytes: Array("<svg onload=''>".utf8)))
        let inputs: [(InputValue, String)] = [(["logo": svg], "profile.notAnImage"), ([:], "required")]
        for (input, code) in inputs {
            let refused = try await problem { try await org.environment.execute(SetLogo.self, input, as: ana) }
            #expect(refused?.faults.map(\.code) == [code])
        }
    }
}
