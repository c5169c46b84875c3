import CalendarFeedInterface
import Classroom
import ClassroomInterface
import CurriculumInterface
import FeatureKit
import InsightsInterface
import OrganizationInterface

extension Wirings {
    static let classroom: BlockWiring? = BlockWiring("Classroom", needs: ["Organization"]) { services in
        services.offer((any ClassroomService).self) { SQLClassroomService() }
        services.offer((any ClassroomImporting).self) { SQLClassroomService() }
        services.offer((any ClassroomPlacing).self) { SQLClassroomService() }
        services.offer((any DefaultClassrooms).self) { SQLClassroomService() }
        services.offer((any StudentService & StudentPlacing).self) {
            SQLStudentService(people: try services.require())
        }
        services.offer((any StudentService).self) { SQLStudentService(people: try services.require()) }
        services.offer((any ClassroomTieService).self) { SQLClassroomTies(guardians: try services.require()) }
        services.offer((any ChildRecord).self) { SQLChildRecord() }
        services.offer((any ChildHistory).self) { SQLChildHistory() }
        services.offer((any ClassRecord).self) { SQLClassRecord() }
        services.offer((any CalendarSource).self) { WorkCalendar() }
    } build: { services in
        try ClassroomFeature.make(
            classrooms: services.require(), students: services.require((any StudentService & StudentPlacing).self),
            guides: services.require(),
            roles: services.require(), guardians: services.require(), taxonomy: services.find((any Taxonomy).self),
            images: services.ports.images, transcriber: services.find((any Transcriber).self),
            consents: services.find((any ConsentNoting).self), calendar: services.require())
    }
}
