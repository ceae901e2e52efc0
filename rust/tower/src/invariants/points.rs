//! Invariants of single parts of a match: the draft, the court, winter, and the point that play has come to.

use sengoku_kernel::{List, SetupError};

use super::{Stage, distinct, ensure};
use crate::data::{FAVOURS, Mode, ProvinceId, Round, Space};
use crate::state::{Court, Draft, Point, State};

impl State {
    /// The draft (TW-ST-16), and that nothing of it is left afterwards.
    pub(super) fn check_draft(&self) -> Result<(), SetupError> {
        let drafting = self.stage() == Stage::Drafting;
        if !drafting {
            let nothing = self.draft == Draft::default();
            ensure(nothing, "draft", || "something is left of the draft".into())?;
            for seat in self.everyone() {
                let player = &self.players[seat];
                let nothing = player.groups.is_empty() && player.last_pair.is_none();
                ensure(nothing, &format!("players[{}].groups", seat.0), || "outside the draft".into())?;
            }
            return Ok(());
        }
        ensure(self.options.mode == Mode::Draft, "options.mode", || "\"fixed\" has no draft".into())?;
        let untouched = self.tower.is_empty() && self.tray.total() == 0;
        ensure(untouched, "tower", || "the tower is filled after the draft".into())?;
        let rest = self.players[self.decider].groups.len();
        ensure(rest > 0, "decider", || "the seat on turn has no group left".into())?;
        let mut left = 0;
        for seat in self.everyone() {
            let groups = &self.players[seat].groups;
            let field = format!("players[{}].groups", seat.0);
            let wanted = rest - usize::from(seat < self.decider);
            ensure(groups.len() == wanted, &field, || format!("{} left, expected {wanted}", groups.len()))?;
            let sound = groups.iter().all(|&size| (1..=crate::data::MAX_GROUP).contains(&size))
                && groups.windows(2).all(|pair| pair[0] >= pair[1]);
            ensure(sound, &field, || "not sizes from the largest to the smallest".into())?;
            let pair = self.players[seat].last_pair;
            let sorted = pair.is_none_or(|pair| pair[0] < pair[1]);
            ensure(sorted, &format!("players[{}].last_pair", seat.0), || "the smaller comes first".into())?;
            left += groups.len();
        }
        let cards = self.draft.deck.iter().copied().chain(self.draft.open.into_iter().flatten());
        let cards: List<ProvinceId, 48> = cards.chain(self.draft.taken).collect();
        let set = cards.iter().fold(0, |set, card| set | card.bit());
        let all = distinct(&cards) && set == self.neutral();
        ensure(all, "draft", || "not every neutral province has its card there once".into())?;
        ensure(cards.len() >= left + 2, "draft.deck", || format!("{} cards for {left} groups", cards.len()))?;
        let taken = self.draft.taken.is_some() == (self.point == Point::DraftGroup);
        ensure(taken, "draft.taken", || "does not go with the point".into())?;
        let open = self.draft.open.iter().flatten().count();
        let least = if self.point == Point::DraftGroup { 1 } else { 2 };
        ensure(open >= least, "draft.open", || format!("{open} open cards"))?;
        let pair = self.open_pair();
        let refresh = self.point != Point::DraftRefresh || self.players[self.decider].last_pair == pair;
        ensure(refresh, "point", || "the open cards are not those of the last turn (TW-SETUP-07)".into())
    }

    /// The expansion (CT-ST-01..04).
    pub(super) fn check_court(&self) -> Result<(), SetupError> {
        let court = &self.court;
        if !self.options.court {
            let nothing =
                *court == Court::default() && self.everyone().all(|seat| self.players[seat].kept.0 == 0);
            return ensure(nothing, "court", || "something of the expansion".into());
        }
        let stage = self.stage();
        let seasons = match stage {
            Stage::Between if self.round == Round::Winter => 0,
            _ => usize::from((self.round as u8).min(3)),
        } + 3 * (usize::from(self.year) - 1);
        let wanted = if stage == Stage::Drafting { 0 } else { FAVOURS - 3 * seasons };
        let found = court.deck.len();
        ensure(found == wanted, "court.deck", || format!("{found} cards, expected {wanted}"))?;
        let laid: List<u8, 3> = court.laid.into_iter().flatten().collect();
        let sound = match stage {
            Stage::Planning | Stage::Closed | Stage::Slots | Stage::Converting => laid.len() == 3,
            Stage::Audience => true,
            _ => laid.is_empty(),
        };
        let sound = sound && laid.windows(2).all(|pair| pair[0] > pair[1]);
        ensure(sound, "court.laid", || format!("{laid:?} at this point (CT-FAV-01)"))?;
        let mut cards: Vec<u8> = court.deck.iter().copied().chain(laid.iter().copied()).collect();
        cards.extend(court.taken);
        for seat in self.everyone() {
            for card in self.players[seat].kept.iter() {
                let kind = self.board.favour(card).kind;
                let guarded = kind.is_protection() && (Stage::Audience..=Stage::Actions).contains(&stage);
                let kept = kind == crate::data::FavourKind::RemoveUnrest && stage != Stage::Drafting;
                ensure(guarded || kept, &format!("players[{}].kept", seat.0), || {
                    format!("{card} is not kept at this point")
                })?;
                cards.push(card);
            }
        }
        let known = cards.iter().all(|card| (1..=FAVOURS as u8).contains(card)) && distinct(&cards);
        ensure(known, "court.deck", || "a favour that does not exist or is used twice".into())?;
        let audience = stage == Stage::Audience;
        let order = distinct(&court.order)
            && court.order.iter().all(|seat| seat.0 < self.options.seats)
            && (audience || court.order.is_empty());
        ensure(order, "court.order", || "not seats that wait for an audience".into())?;
        let turn = usize::from(court.turn);
        let sound = match self.point {
            Point::Hall => turn <= court.order.len(),
            _ if audience => court.order.get(turn) == Some(&self.decider),
            _ => turn == 0,
        };
        ensure(sound, "court.turn", || format!("{turn} does not go with the order"))
    }

    /// Revolts of winter (TW-ST-18).
    pub(super) fn check_winter(&self) -> Result<(), SetupError> {
        let chosen = matches!(self.point, Point::Quell)
            || (self.point == Point::Kept && self.stage() == Stage::Winter);
        let drawn = chosen || self.point == Point::Revolt;
        ensure(self.revolt.is_some() == chosen, "revolt", || "does not go with the point".into())?;
        let sound = if self.point == Point::Revolt { !self.pending.is_empty() } else { true }
            && (drawn || self.pending.is_empty());
        ensure(sound, "pending", || format!("{} revolts at this point", self.pending.len()))?;
        ensure(self.extra_farmers <= if drawn { 20 } else { 0 }, "extra_farmers", || {
            format!("{} at this point", self.extra_farmers)
        })?;
        let all = self.pending.iter().copied().chain(self.revolt);
        let all: List<ProvinceId, 4> = all.collect();
        let owned = all.iter().all(|province| self.owned[self.decider] & province.bit() != 0);
        let sorted = self.pending.windows(2).all(|pair| pair[0] < pair[1]);
        ensure(owned && sorted && distinct(&all), "pending", || {
            "not provinces of the seat on turn in order".into()
        })
    }

    /// Checks that play can continue from the point.
    pub(super) fn check_point(&self) -> Result<(), SetupError> {
        let on_turn = self.on_turn() == Some(self.decider);
        let kind = self.court.taken.map(|card| self.board.favour(card).kind);
        let targets = self.favour_targets() != 0;
        let holds = match self.point {
            Point::Slot => self.bid_order.first() == Some(&self.decider),
            Point::Court | Point::Hall | Point::Favour => self.options.court,
            Point::FavourEvent => {
                kind == Some(crate::data::FavourKind::CancelEvent) && self.effect().is_some()
            }
            Point::FavourUnrest => kind == Some(crate::data::FavourKind::RemoveUnrest) && targets,
            Point::FavourArmies => kind == Some(crate::data::FavourKind::ArmiesToProvince) && targets,
            Point::FavourBuilding => kind.is_some_and(|kind| kind.building().is_some()) && targets,
            Point::Kept => {
                on_turn && self.kept_calm(self.decider).is_some() && self.unquiet(self.decider) != 0
            }
            Point::Act | Point::Revolt | Point::Quell => on_turn,
            Point::DeployMove => {
                on_turn && self.action() == Some(Space::Deploy1) && self.planned_province().is_some()
            }
            Point::Battle => {
                let battle = self.action().filter(|action| matches!(action, Space::BattleA | Space::BattleB));
                on_turn
                    && battle.zip(self.planned_province()).is_some_and(|(action, province)| {
                        self.can_battle(self.decider, province, action).is_ok()
                    })
            }
            _ => true,
        };
        let deciding = matches!(
            self.point,
            Point::FavourEvent | Point::FavourUnrest | Point::FavourArmies | Point::FavourBuilding
        );
        ensure(deciding == self.court.taken.is_some(), "court.taken", || {
            "does not go with the point".into()
        })?;
        ensure(holds, "point", || format!("{:?} does not go with the rest of the position", self.point))
    }
}
