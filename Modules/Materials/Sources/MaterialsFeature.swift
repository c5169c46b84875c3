import DesignSystem
import Domain
public import FeatureKit
import Foundation
import ScreenKit
import ShellInterface

/// Materials: the Montessori materials in three dimensions at their true size, to turn, take apart and place in a room.
public enum MaterialsFeature {
    /// Builds the Materials feature block.
    ///
    /// - Parameters:
    ///   - qr: makes the code with which a phone opens a material's page.
    ///   - publicURL: the public address of this server, for that code.
    public static func make(qr: any QRCodeEncoder, publicURL: String) throws -> Feature {
        let files = ModelFiles()
        let library = ARLibraryView(qr: qr, publicURL: publicURL)
        var feature = Feature("Materials", catalog: try StringCatalog(in: .module))
        feature.endpoints.downloads = [files.route]
        feature.pages.screens = library.routes
        feature.pages.navigation = [
            NavigationEntry(
                .tools, "materials.title", icon: .cube, path: ARLibraryView.path, order: 70, permission: .belong)
        ]
        feature.pages.islands = ["model": Bundle.module.bundleURL.appending(path: "Resources/viewer")]
        feature.pages.deepLinks = [
            .place("materials", ARLibraryView.path),
            DeepLink("material") { id, _ in Material.all.first { $0.id == id }?.path },
        ]
        feature.pages.searchSources = [MaterialSearch.source(feature.catalog)]
        return feature
    }
}
