package import DesignTokens
import Foundation
package import SwiftUI

extension Design {
    /// The animation of the tokens, or none for a person who reduces motion.
    package func animation(_ curve: KeyPath<PTMotion, PTMotion.Curve>, isReduced: Bool) -> Animation? {
        guard !isReduced else { return nil }
        let curve = tokens.motion[keyPath: curve]
        if let spring = curve.spring {
            return .spring(
                response: spring.response, dampingFraction: spring.dampingFraction,
                blendDuration: spring.blendDuration)
        }
        let points = curve.timing.split { !"-.0123456789".contains($0) }.compactMap { Double($0) }
        guard points.count == 4 else { return nil }
        return .timingCurve(
            points[0], points[1], points[2], points[3], duration: curve.duration.milliseconds / 1000)
    }

    /// The transition of the tokens. A person who reduces motion sees only the fading.
    func transition(_ name: KeyPath<PTMotion, PTMotion.Transition>, isReduced: Bool) -> AnyTransition {
        let transition = tokens.motion[keyPath: name]
        guard !isReduced else { return .opacity }
        var result = AnyTransition.opacity
        if let shift = transition.shiftY { result = result.combined(with: .offset(y: CGFloat(shift.points))) }
        if let scale = transition.scale { result = result.combined(with: .scale(scale: scale)) }
        return result
    }
}
