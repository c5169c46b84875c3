import ClassroomInterface
import CurriculumInterface
import Domain
import FeatureKit
import Insights
import InsightsInterface
import Integrations
import OrganizationInterface

extension Wirings {
    static let insights: BlockWiring? = BlockWiring("Insights", needs: ["Organization", "Classroom"]) { services in
        let ports = services.ports
        services.offer(ServerModels.self) {
            let service = OpenAIModels(at: ports.models.address)
            return ServerModels(
                text: service, speech: service, key: ports.models.key, textModel: ports.models.textModel,
                speechModel: ports.models.speechModel, cryptography: ports.cryptography)
        }
        services.offer((any Transcriber).self) { InsightsFeature.transcriber(try services.require()) }
    } build: { services in
        let people = try services.require((any PeopleImporting & PeopleService).self)
        let register = try services.require((any SchoolRegister).self)
        return try InsightsFeature.make(
            classrooms: services.require(), students: services.require(), record: services.require(),
            history: services.require(), materials: services.find((any MaterialRecord).self),
            taxonomy: services.find((any Taxonomy).self),
            families: services.require(), models: services.require(),
            names: { try people.everybody(of: $0, in: $1).map(\.person.name) },
            school: { id in try await register.schools().first { $0.id == id } })
    }
}
