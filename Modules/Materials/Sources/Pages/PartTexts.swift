import Domain
import Foundation

/// The texts about the parts of a material: names, sizes and volumes.
struct PartTexts {
    /// The texts about one part.
    struct One: Hashable {
        /// The part with its most telling size: "Cube, 10 cm".
        let title: String
        /// What tells the part from the others: "10 cm", or "Sphere".
        let short: String
        /// All sizes: "Edge", "10 cm".
        let facts: [Fact]
    }
    /// A size of a part with its name.
    struct Fact: Hashable {
        let term: String
        let value: String
    }

    let all: [One]

    /// Makes the texts about parts with these forms.
    init(_ forms: [Form], _ words: Words) {
        let texts = PartWords(words: words)
        // A part whose name is unique in its material, such as a block among cylinders, needs no size.
        let names = forms.map(\.name)
        func isOnly(_ name: String) -> Bool { names.count(where: { $0 == name }) == 1 }
        let isMixed = Set(names.filter { !isOnly($0) }).count > 1
        all = forms.map { form in
            let (name, measure) = (words("materials.form.\(form.name)"), texts.measure(of: form))
            let title = words("materials.part", name, measure)
            return One(
                title: title, short: isOnly(form.name) ? name : isMixed ? title : measure,
                facts: texts.facts(of: form))
        }
    }
}

private struct PartWords {
    let words: Words

    /// A length in centimetres: "5.5 cm".
    private func length(_ metres: Double) -> String { words("materials.cm", number(metres * 100)) }

    private func number(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(0...1)).locale(words.locale))
    }

    /// The size that tells a part from others of its form.
    func measure(of form: Form) -> String {
        switch form {
        case .prism(_, let edge): length(edge)
        case .box, .block, .cylinder:
            words("materials.cm", form.sizes.map { number($0.metres * 100) }.joined(separator: "\u{00A0}×\u{00A0}"))
        case .beads, .chain: words("materials.beads", form.beads ?? 0)
        default: length(form.sizes[0].metres)
        }
    }

    func facts(of form: Form) -> [PartTexts.Fact] {
        var facts = form.sizes.map {
            PartTexts.Fact(term: words("materials.size.\($0.name)"), value: length($0.metres))
        }
        if let beads = form.beads {
            facts.append(.init(term: words("materials.size.beads"), value: number(Double(beads))))
        }
        if let volume = form.volume {
            facts.append(
                .init(
                    term: words("materials.size.volume"),
                    value: words("materials.cubic", number(volume * 1_000_000))))
        }
        return facts
    }
}
