// DesignTokens
