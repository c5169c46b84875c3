extension UTType {
    public var recordedName: String { name }
}
