#if WITH_FLASHCARDS
    import FlashcardsModel
    import Foundation

    extension Measurements {
        /// Measures the engine of flashcards alone: the memories of 100,000 cards, each computed from five reviews.
        func flashcards() {
            let engine = FSRS()
            let start = Date(timeIntervalSince1970: 1_669_725_000)
            typealias Review = (rating: CardRating, at: Date)
            func review(_ place: Int, of card: Int) -> Review {
                let rating = CardRating(rawValue: (card + place * 3) % 4 + 1) ?? .good
                let seconds = Double(place * place) * 86_400 + Double(card % 600)
                return (rating, start.addingTimeInterval(seconds))
            }
            let histories: [[Review]] = (0..<100_000).map { card in (0..<5).map { review($0, of: card) } }
            var times: [Double] = []
            // Every result is used, so that the compiler removes none.
            var sum = 0.0
            for _ in 0..<5 {
                let began = ContinuousClock.now
                for reviews in histories { sum += engine.replayed(reviews)?.stability ?? 0 }
                times.append(began.duration(to: .now) / .milliseconds(1))
            }
            let median = times.sorted()[2]
            Report.figure(
                "flashcards: memories of 100,000 cards from five reviews each, median of 5", median, "ms",
                bound: "<= 100 ms", holds: median <= 100 && sum > 0)
        }
    }
#endif
