//! Values of cards in the hand, independent of the position.

use sengoku_battles::data::{CommandCard as Command, DragonCard as Dragon};

/// A command card: what is not played now may be played later.
pub(super) const fn command_card_worth(card: Command) -> f64 {
    match card {
        Command::OneLeft | Command::OneCenter | Command::OneRight => 0.0,
        Command::TwoLeft | Command::TwoCenter | Command::TwoRight => 0.1,
        Command::Counterattack => 0.12,
        Command::CranesWing => 0.16,
        Command::ThreeLeft
        | Command::ThreeCenter
        | Command::ThreeRight
        | Command::TigersTailLeft
        | Command::TigersTailRight => 0.2,
        Command::CircleUnits | Command::TriangleUnits | Command::SquareUnits | Command::FlankingMove => 0.22,
        Command::AdvanceLeft | Command::AdvanceCenter | Command::AdvanceRight => 0.24,
        Command::Leadership | Command::InfantryAssault => 0.27,
        Command::CavalryCharge | Command::HoldAndShoot | Command::FirstStrike => 0.3,
        Command::FlightOfGeese | Command::SnakeCommand | Command::Shogun => 0.34,
    }
}

/// A dragon card.
pub(super) const fn dragon_card_worth(card: Dragon) -> f64 {
    match card {
        Dragon::TeaCeremony | Dragon::HeadCollector | Dragon::Ambush => 0.3,
        Dragon::AikidoTraining
        | Dragon::AshigaruAttack
        | Dragon::VolleyByRanks
        | Dragon::FireArrows
        | Dragon::Panic
        | Dragon::WhiteFoxSpirit => 0.22,
        Dragon::RiceFamine
        | Dragon::RedDragon
        | Dragon::BlueDragon
        | Dragon::Courage
        | Dragon::CourageousLeaderAfter
        | Dragon::CourageousLeaderBefore => 0.18,
        Dragon::MoveLikeTheWind
        | Dragon::BraveMessenger
        | Dragon::WhiteDragon
        | Dragon::Physician
        | Dragon::Vengeance
        | Dragon::BulletproofArmor => 0.16,
        Dragon::SpiritOfKisshoten
        | Dragon::LegendaryCombat
        | Dragon::KatchuKeibaWinner
        | Dragon::Cowards
        | Dragon::DesperateCharge => 0.14,
        Dragon::PersonalChallenge
        | Dragon::TacticalWisdom
        | Dragon::SpiritOfHayaji
        | Dragon::Turncoats
        | Dragon::FollowersOfBishamon => 0.12,
        Dragon::TerrorStrike
        | Dragon::WildWinds
        | Dragon::Insult
        | Dragon::TimidSuccess
        | Dragon::NinjaThief
        | Dragon::NinjaAssassin
        | Dragon::WiseAdvisor => 0.1,
    }
}
