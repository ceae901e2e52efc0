//! The cards that change a single combat and leave nobody a choice once they are in play.

use super::piece::PieceKind;
use super::strike::{Role, Strike};
use crate::data::{Symbol, numbered};

numbered! {
    /// A card in play, in the order of the ledger.
    pub enum Card {
        /// Cavalry units: one melee die more (BT-CMD-01).
        CavalryCharge,
        /// The defender strikes first (BT-CMD-20).
        FirstStrike,
        /// One die more in every combat (BT-CMD-60).
        Shogun,
        /// Triangle units: one melee die more (BT-DRAGON-10).
        AshigaruAttack,
        /// A unit with a leader may ignore all flags (BT-DRAGON-11).
        CourageousLeader,
        /// Each flag counts twice (BT-DRAGON-15).
        TerrorStrike,
        /// The defender strikes first, with one die more (BT-DRAGON-16).
        Ambush,
        /// A unit with one block: two melee dice more (BT-DRAGON-19).
        DesperateCharge,
        /// Bow units: one ranged die more (BT-DRAGON-21).
        FireArrows,
        /// The unit rolled against cannot ignore flags (BT-DRAGON-23).
        Cowards,
        /// The unit rolled against may ignore all flags (BT-DRAGON-24).
        Courage,
        /// Arquebuses: one ranged die more, swords are rolled again (BT-DRAGON-25).
        VolleyByRanks,
        /// Two honor for each block removed (BT-DRAGON-26).
        HeadCollector,
        /// The defending units may ignore all flags (BT-DRAGON-29).
        FollowersOfBishamon,
        /// The attacking unit rolls at most two dice (BT-DRAGON-34).
        AikidoTraining,
        /// The defending units cannot ignore flags (BT-DRAGON-35).
        Panic,
        /// As many dice back as were rolled (BT-DRAGON-38).
        Vengeance,
        /// Hits of a shot do nothing (BT-DRAGON-39).
        BulletproofArmor,
    }
}

impl Card {
    /// The card as users write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CavalryCharge => "cavalry_charge",
            Self::FirstStrike => "first_strike",
            Self::Shogun => "shogun",
            Self::AshigaruAttack => "ashigaru_attack",
            Self::CourageousLeader => "courageous_leader",
            Self::TerrorStrike => "terror_strike",
            Self::Ambush => "ambush",
            Self::DesperateCharge => "desperate_charge",
            Self::FireArrows => "fire_arrows",
            Self::Cowards => "cowards",
            Self::Courage => "courage",
            Self::VolleyByRanks => "volley_by_ranks",
            Self::HeadCollector => "head_collector",
            Self::FollowersOfBishamon => "followers_of_bishamon",
            Self::AikidoTraining => "aikido_training",
            Self::Panic => "panic",
            Self::Vengeance => "vengeance",
            Self::BulletproofArmor => "bulletproof_armor",
        }
    }

    /// The card of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.name() == name)
    }

    /// Dice that it gives each attacking unit it is for.
    pub(super) const fn attack_dice(self) -> u8 {
        use Card::{AshigaruAttack, CavalryCharge, FireArrows, Shogun, VolleyByRanks};
        matches!(self, CavalryCharge | Shogun | AshigaruAttack | FireArrows | VolleyByRanks) as u8
    }

    /// Whether a side can have it in play in a strike, or why not.
    pub(super) fn check(self, strike: &Strike, role: Role) -> Result<(), &'static str> {
        let setup = strike.setup();
        let by = strike.attacking();
        let only = match self {
            Self::CavalryCharge
            | Self::Shogun
            | Self::AshigaruAttack
            | Self::FireArrows
            | Self::VolleyByRanks
            | Self::HeadCollector
            | Self::Panic => Some(Role::Attacker),
            Self::FirstStrike
            | Self::Ambush
            | Self::FollowersOfBishamon
            | Self::AikidoTraining
            | Self::Vengeance
            | Self::BulletproofArmor => Some(Role::Defender),
            _ => None,
        };
        if only.is_some_and(|only| only != role) {
            return Err(match role {
                Role::Attacker => "which only the defender plays",
                Role::Defender => "which only the attacker plays",
            });
        }
        let ranged = match self {
            Self::FireArrows | Self::VolleyByRanks | Self::BulletproofArmor => Some(true),
            Self::CavalryCharge
            | Self::FirstStrike
            | Self::AshigaruAttack
            | Self::TerrorStrike
            | Self::Ambush
            | Self::DesperateCharge
            | Self::HeadCollector
            | Self::AikidoTraining
            | Self::Vengeance => Some(false),
            _ => None,
        };
        if ranged.is_some_and(|ranged| ranged != strike.is_ranged()) {
            return Err(if strike.is_ranged() { "which is for melee" } else { "which is for ranged combat" });
        }
        let is_unit = |role| matches!(strike.piece(role).kind, PieceKind::Unit(_));
        // Each side is rolled against at most once, and the defender rolls at most once.
        let is_rolled_against = role == Role::Defender || !strike.is_ranged();
        let rolls = role == Role::Attacker || !strike.is_ranged() && strike.can_battle_back();
        let fits = match self {
            Self::CavalryCharge => by.is_cavalry(),
            Self::AshigaruAttack => by.symbol() == Symbol::Triangle,
            Self::FireArrows => by.is_bow(),
            Self::VolleyByRanks => by.is_missile() && !by.is_bow(),
            Self::HeadCollector => setup.attackers.iter().any(|piece| piece.leader.is_some()),
            Self::CourageousLeader => is_rolled_against && strike.piece(role).leader.is_some(),
            // BT-R-95: these need a unit as the piece rolled against
            Self::Courage | Self::BulletproofArmor => is_rolled_against && is_unit(role),
            Self::Cowards => rolls && is_unit(role.other()),
            Self::TerrorStrike
            | Self::DesperateCharge
            | Self::FirstStrike
            | Self::Ambush
            | Self::Vengeance => rolls,
            _ => true,
        };
        if !fits {
            return Err("which does nothing for these pieces");
        }
        // BT-CMD-21
        let both = strike.has(role, Self::FirstStrike) && strike.has(role, Self::Ambush);
        if self == Self::Ambush && both {
            return Err("which goes not with \"first_strike\"");
        }
        // BT-BATTLEBACK-07
        if self == Self::Vengeance && strike.strikes_first() {
            return Err("but a side that strikes first does not battle back");
        }
        Ok(())
    }
}

/// A set of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(u32);

impl CardSet {
    /// Puts a card into play.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.index();
    }

    /// Whether a card is in play.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & 1 << card.index() != 0
    }

    /// The cards in order.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().filter(move |&card| self.contains(card))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::default();
        for card in cards {
            set.insert(card);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{LeaderKind, UnitKind};
    use crate::odds::{ByRole, Piece, Shot, StrikeSetup};

    fn playable(setup: &StrikeSetup, role: Role) -> Vec<&'static str> {
        let fits = |card: &Card| {
            let mut cards = ByRole::default();
            cards[role] = CardSet::from_iter([*card]);
            Strike::new(&StrikeSetup { cards, ..setup.clone() }).is_ok()
        };
        Card::ALL.into_iter().filter(fits).map(Card::name).collect()
    }

    #[test]
    fn cards_and_who_can_play_them() {
        // BT-DRAGON-01, BT-CMD-20, BT-R-95
        for card in Card::ALL {
            assert_eq!(Card::named(card.name()), Some(card));
        }
        let leader = Some(LeaderKind::Mounted);
        let (horse, bows) = (Piece::unit(UnitKind::SpearCavalry), Piece::unit(UnitKind::SamuraiBow));
        let melee = StrikeSetup::melee(Piece { leader, ..horse }, bows);
        assert_eq!(
            playable(&melee, Role::Attacker),
            [
                "cavalry_charge",
                "shogun",
                "courageous_leader",
                "terror_strike",
                "desperate_charge",
                "cowards",
                "courage",
                "head_collector",
                "panic"
            ]
        );
        assert_eq!(
            playable(&melee, Role::Defender),
            [
                "first_strike",
                "terror_strike",
                "ambush",
                "desperate_charge",
                "cowards",
                "courage",
                "followers_of_bishamon",
                "aikido_training",
                "vengeance"
            ]
        );
        let shot =
            StrikeSetup { shot: Some(Shot { distance: 2, moved: false }), ..StrikeSetup::melee(bows, horse) };
        assert_eq!(playable(&shot, Role::Attacker), ["shogun", "fire_arrows", "cowards", "panic"]);
        assert_eq!(
            playable(&shot, Role::Defender),
            ["courage", "followers_of_bishamon", "bulletproof_armor"]
        );
        let lone = StrikeSetup { defender: Piece::new(PieceKind::Leader(LeaderKind::Foot)), ..shot };
        assert_eq!(playable(&lone, Role::Attacker), ["shogun", "fire_arrows", "panic"]);
        assert_eq!(playable(&lone, Role::Defender), ["followers_of_bishamon"]);
    }

    #[test]
    fn cards_that_exclude_each_other() {
        // BT-CMD-21, BT-BATTLEBACK-07
        let melee = StrikeSetup::melee(Piece::unit(UnitKind::Levy), Piece::unit(UnitKind::Levy));
        for (cards, named) in [
            ([Card::FirstStrike, Card::Ambush], "\"ambush\""),
            ([Card::FirstStrike, Card::Vengeance], "\"vengeance\""),
        ] {
            let cards = ByRole([CardSet::default(), cards.into_iter().collect()]);
            let error = Strike::new(&StrikeSetup { cards, ..melee.clone() }).unwrap_err().to_string();
            assert!(error.starts_with(&format!("defender_cards: {named}")), "{error}");
        }
    }
}
