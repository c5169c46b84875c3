/// The icons of the product. An icon with a meaning always has a text beside it.
public enum PTIcon: String, Codable, Sendable, Hashable, CaseIterable {
    case alert
    case apple
    case arrowDown = "arrow-down"
    case arrowRight = "arrow-right"
    case arrowUp = "arrow-up"
    case backspace
    case bed
    case bell
    case book
    case brush
    case bulb
    case calculator
    case calendar
    case camera
    case cards
    case chart
    case chat
    case check
    case checks
    case chevronDown = "chevron-down"
    case chevronLeft = "chevron-left"
    case chevronRight = "chevron-right"
    case clip
    case clock
    case cloudOff = "cloud-off"
    case cloudUp = "cloud-up"
    case copy
    case cube
    case door
    case download
    case edit
    case eye
    case faceCalm = "face-calm"
    case faceDelighted = "face-delighted"
    case faceHappy = "face-happy"
    case faceSad = "face-sad"
    case faceUneasy = "face-uneasy"
    case file
    case filter
    case flask
    case globe
    case grid
    case grip
    case heart
    case home
    case info
    case leaf
    case lock
    case logout
    case mail
    case meal
    case menu
    case mic
    case minus
    case moon
    case more
    case passkey
    case pause
    case people
    case person
    case phone
    case photo
    case pin
    case play
    case plus
    case print
    case retry
    case rotate
    case scan
    case search
    case send
    case settings
    case share
    case sort
    case sparkle
    case star
    case summary
    case sun
    case swap
    case sync
    case tag
    case task
    case timer
    case trash
    case trendUp = "trend-up"
    case wave
    case x
}
