extension Words {
    /// `60 %`: in both languages with a no-break space, as most texts of the catalogs write it.
    public func percent(_ whole: Int) -> String { percent(String(whole)) }

    /// The same for a number that is written already: `+2.5 %`.
    public func percent(_ number: String) -> String { "\(number)\u{00A0}%" }
}
