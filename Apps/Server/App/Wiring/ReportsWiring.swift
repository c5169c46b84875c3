import ClassroomInterface
import CoursesInterface
import CurriculumInterface
import Domain
import FeatureKit
import GradingInterface
import Integrations
import OrganizationInterface
import Reports

extension Wirings {
    static let reports: BlockWiring? = BlockWiring("Reports", needs: ["Organization", "Classroom"]) { services in
        let ports = services.ports
        let register = try services.require((any SchoolRegister).self)
        var grades: TranscriptPorts?
        if let courses = try services.find((any CourseService).self),
            let results = try services.find((any CourseResults).self)
        {
            grades = try TranscriptPorts(
                courses: courses, results: results, people: services.require(), families: services.require(),
                logos: services.require(),
                hasher: ports.hasher, mailer: ports.mailer,
                school: { id in try await register.schools().first { $0.id == id } })
        }
        return try ReportsFeature.make(
            classrooms: services.require(), students: services.require(), record: services.require(),
            history: services.require(), materials: services.find((any MaterialRecord).self),
            printer: PangoPrinter(), qr: LibQRCode(), publicURL: ports.publicURL, transcripts: grades)
    }
}
