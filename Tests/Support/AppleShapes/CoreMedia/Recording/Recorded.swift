extension CMTime {
    public var recordedSeconds: Double { seconds }
}
