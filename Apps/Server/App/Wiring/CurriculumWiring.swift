import ClassroomInterface
import Curriculum
import CurriculumInterface
import FeatureKit

extension Wirings {
    static let curriculum: BlockWiring? = BlockWiring("Curriculum", needs: ["Classroom"]) { services in
        services.offer(SchoolTaxonomy.self) { try SchoolTaxonomy() }
        services.offer((any Taxonomy).self) { try services.require(SchoolTaxonomy.self) }
        services.offer((any MaterialRecord).self) { SQLMaterialRecord(taxonomy: try services.require()) }
    } build: { services in
        try CurriculumFeature.make(
            taxonomy: services.require(), classrooms: services.require(), students: services.require(),
            record: services.require())
    }
}
