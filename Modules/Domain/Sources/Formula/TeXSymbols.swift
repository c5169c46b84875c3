/// The commands of TeX that stand for one sign.
enum TeXSymbols {
    /// Letters, which are set in italics unless they are capital.
    static let letters: [String: String] = [
        "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ",
        "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
        "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ",
        "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
        "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "hbar": "ℏ",
        "infty": "∞", "partial": "∂", "nabla": "∇", "emptyset": "∅", "varnothing": "∅", "Re": "ℜ", "Im": "ℑ",
        "aleph": "ℵ", "degree": "°",
    ]
    static let operators: [String: String] = [
        "times": "×", "cdot": "⋅", "div": "÷", "pm": "±", "mp": "∓", "ast": "∗", "star": "⋆", "circ": "∘",
        "bullet": "∙", "oplus": "⊕", "otimes": "⊗", "cap": "∩", "cup": "∪", "setminus": "∖", "wedge": "∧",
        "land": "∧", "vee": "∨", "lor": "∨", "neg": "¬", "lnot": "¬", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥",
        "neq": "≠", "ne": "≠", "approx": "≈", "equiv": "≡", "sim": "∼", "simeq": "≃", "cong": "≅", "propto": "∝",
        "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "subseteq": "⊆", "supset": "⊃",
        "supseteq": "⊇", "perp": "⊥", "parallel": "∥", "mid": "∣", "forall": "∀", "exists": "∃", "nexists": "∄",
        "to": "→", "rightarrow": "→", "leftarrow": "←", "gets": "←", "leftrightarrow": "↔", "Rightarrow": "⇒",
        "implies": "⟹", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "iff": "⟺", "mapsto": "↦", "uparrow": "↑",
        "downarrow": "↓", "longrightarrow": "⟶", "rightleftharpoons": "⇌", "angle": "∠", "triangle": "△",
        "square": "□", "therefore": "∴", "because": "∵", "ldots": "…", "dots": "…", "cdots": "⋯", "vdots": "⋮",
        "ddots": "⋱", "prime": "′", "colon": ":", "lt": "<", "gt": ">", "vert": "|", "Vert": "‖", "backslash": "∖",
        "%": "%", "$": "$", "&": "&", "#": "#", "_": "_", "{": "{", "}": "}", "|": "‖", "lbrace": "{",
        "rbrace": "}",
        "langle": "⟨", "rangle": "⟩", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    ]
    /// Operators whose limits stand above and below them in a formula on its own line.
    static let large: [String: String] = [
        "sum": "∑", "prod": "∏", "coprod": "∐", "bigcup": "⋃", "bigcap": "⋂", "bigvee": "⋁", "bigwedge": "⋀",
        "bigoplus": "⨁", "bigotimes": "⨂",
    ]
    static let integrals: [String: String] = ["int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮"]
    static let functions: Set<String> = [
        "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln",
        "lg", "exp", "deg", "dim", "ker", "arg", "hom",
    ]
    /// Functions whose limits stand below them.
    static let limits: Set<String> = ["lim", "max", "min", "sup", "inf", "gcd", "det", "Pr", "limsup", "liminf"]
    static let accents: [String: String] = [
        "hat": "^", "widehat": "^", "bar": "¯", "overline": "¯", "vec": "→", "overrightarrow": "→", "tilde": "~",
        "widetilde": "~", "dot": "˙", "ddot": "¨", "check": "ˇ",
    ]
    static let spaces: [String: String] = [
        ",": "0.17em", ":": "0.22em", ">": "0.22em", ";": "0.28em", " ": "0.33em", "quad": "1em", "qquad": "2em",
        "!": "-0.17em", "enspace": "0.5em", "thinspace": "0.17em",
    ]
    /// The fences of environments that are tables.
    static let tables: [String: (String, String)] = [
        "matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "Bmatrix": ("{", "}"),
        "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"), "cases": ("{", ""), "aligned": ("", ""), "align": ("", ""),
        "align*": ("", ""), "smallmatrix": ("", ""),
    ]
    static let doubleStruck: [Character: String] = [
        "C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ",
    ]
    static let scripts: [Character: String] = [
        "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ", "g": "ℊ",
        "o": "ℴ",
    ]

    /// Returns a letter or digit in an alphabet for formulas; `nil` if the alphabet does not have it.
    static func styled(_ character: Character, _ style: String) -> String? {
        func shifted(_ capital: UInt32, _ small: UInt32, _ digit: UInt32?) -> String? {
            guard let value = character.asciiValue.map(UInt32.init) else { return nil }
            let code: UInt32? =
                switch value {
                case 65...90: capital + value - 65
                case 97...122: small + value - 97
                case 48...57: digit.map { $0 + value - 48 }
                default: nil
                }
            return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
        switch style {
        case "mathbb": return doubleStruck[character] ?? shifted(0x1D538, 0x1D552, 0x1D7D8)
        case "mathcal": return scripts[character] ?? shifted(0x1D49C, 0x1D4B6, nil)
        case "mathbf", "boldsymbol": return shifted(0x1D400, 0x1D41A, 0x1D7CE)
        case "mathfrak": return shifted(0x1D504, 0x1D51E, nil)
        case "mathsf": return shifted(0x1D5A0, 0x1D5BA, 0x1D7E2)
        default: return nil
        }
    }
}
