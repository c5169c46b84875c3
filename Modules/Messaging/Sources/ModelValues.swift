public import FeatureKit
import MessagingModel

extension Conversation.Kind: SQLConvertible {}
extension Announcement.Circle: SQLConvertible {}
