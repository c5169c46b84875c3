extension Words {
    /// Returns `60 %` with a no-break space, as most texts of the catalogs write it in both languages.
    public func percent(_ whole: Int) -> String { percent(String(whole)) }

    /// Returns a percentage whose number is already text: `+2.5 %`.
    public func percent(_ number: String) -> String { "\(number)\u{00A0}%" }
}
