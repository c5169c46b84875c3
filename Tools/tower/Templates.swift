extension NewBlock {
    /// The files of the block, by path.
    var files: [String: String] {
        var files = [
            "Modules/\(name)/README.md": readme,
            "Modules/\(name)/Sources/\(name)Feature.swift": descriptor,
            "Modules/\(name)/Sources/Read\(name)Welcome.swift": query,
            "Modules/\(name)/Sources/Resources/Localizable.xcstrings": catalog,
            "Tests/\(name)Tests/\(name)FeatureTests.swift": tests,
            "Apps/Server/App/Wiring/\(name)Wiring.swift": wiring,
        ]
        if hasInterface { files["Modules/\(name)/Interface/\(name)Reading.swift"] = interface }
        return files
    }

    private var readme: String {
        """
        # \(name)

        What the block is for, in two sentences: who uses it, and what they can do then that they could
        not do before.

        - **Never**: imports another block's implementation; shows a text that is not in its catalog; changes
          rows outside a command.
        - **Invariants**: what always holds of its data.
        - **Start reading** at `Sources/\(name)Feature.swift`, which registers everything.

        Try it alone: `tower test \(name)`.

        """
    }

    private var interface: String {
        """
        /// The reads that \(name) offers to other blocks.
        public protocol \(name)Reading: Sendable {
            /// Whether there is any content yet.
            func hasContent() async throws -> Bool
        }

        """
    }

    private var descriptor: String {
        """
        import Domain
        public import FeatureKit
        import Foundation

        /// \(name): say in one sentence what it does, and for whom.
        public enum \(name)Feature {
            /// Builds the block's feature. Its wiring in `Apps/Server/App/Wiring` passes the arguments.
            public static func make() throws -> Feature {
                var feature = Feature("\(name)", catalog: try StringCatalog(in: .module))
                feature.endpoints.queries = [
                    .handle(Read\(name)Welcome.self) { _, context in
                        .init(title: context.words("\(area).welcome"))
                    }
                ]
                return feature
            }
        }

        """
    }

    private var wiring: String {
        """
        \(["FeatureKit", name].sorted().map { "import \($0)" }.joined(separator: "\n"))

        extension Wirings {
            static let \(area): BlockWiring? = BlockWiring("\(name)") { _ in
                try \(name)Feature.make()
            }
        }

        """
    }

    private var query: String {
        """
        import FeatureKit

        /// A welcome text; replace it with the block's first real query.
        struct Read\(name)Welcome: Query {
            struct Result: Codable, Sendable {
                let title: String
            }

            static let contract = Contract(
                "\(area).welcome", "/api/v1/\(area.lowercased())/welcome", access: .account,
                summary: "Reads the welcome of \(name).")

            init(_ fields: inout FieldReader) {}
        }

        """
    }

    private var catalog: String {
        let texts = [
            text("\(area).welcome", "Welcome to \(name)", "Bienvenue dans \(name)"),
            // The pages of API tokens say "See and change %@" of each area of endpoints.
            text("area.\(area)", "the data of \(name)", "les données de \(name)"),
        ]
        return """
            {
              "sourceLanguage": "en",
              "version": "1.0",
              "strings": {
            \(texts.sorted().joined(separator: ",\n"))
              }
            }

            """
    }

    private func text(_ key: String, _ english: String, _ french: String) -> String {
        """
            "\(key)": {
              "localizations": {
                "en": { "stringUnit": { "state": "translated", "value": "\(english)" } },
                "fr": { "stringUnit": { "state": "translated", "value": "\(french)" } }
              }
            }
        """
    }

    private var tests: String {
        """
        import Domain
        import FeatureKit
        import Testing

        @testable import \(name)

        @Suite("\(name), the block")
        struct \(name)FeatureTests {
            @Test("it speaks both languages", arguments: Language.allCases)
            func speaksBothLanguages(language: Language) throws {
                let words = Words(language, [try \(name)Feature.make().catalog])
                #expect(words.has("\(area).welcome"))
            }

            @Test("it answers the query that it declares")
            func declaresItsQuery() throws {
                let paths = try \(name)Feature.make().endpoints.queries.map(\\.contract.path)
                #expect(paths == ["/api/v1/\(area.lowercased())/welcome"])
            }
        }

        """
    }
}
