//! Observations: the information that a seat may see (BT-COMP-06, BT-DRAGON-USE-10).

use sengoku_kernel::{List, Seat};
use serde::Serialize;

use crate::board::HEXES;
use crate::cards::{Deck, Effective};
use crate::data::{CommandCard, DragonCard, Side, Terrain, Window};
use crate::play::Step;
use crate::state::{Effects, FlagRule, State};

pub(crate) const HEADER: usize = 77;
pub(crate) const CARDS: usize = 2 * CommandCard::COUNT + 2 * DragonCard::COUNT;
pub(crate) const PER_HEX: usize = 5;
/// Bytes of an observation: what is common, then cards by kind, then the hexes.
pub(crate) const OBSERVATION_SIZE: usize = HEADER + CARDS + HEXES * PER_HEX;

/// Nobody, nowhere, nothing, where a number says who, where or what.
const NONE: u8 = 255;

impl State {
    /// The state without what a seat may not see. Cards that it does not see are known as a whole, but not which of them are
    /// where: they lie in table order, first in the enemy's hand and then in the deck.
    pub(crate) fn redacted(&self, seat: Seat) -> Self {
        let mut seen = *self;
        hide(&mut seen.command, seat, None, (&CommandCard::ALL, CommandCard::index));
        // A card that Ninja Thief took from the open pile is known to be in the hand.
        let stolen = self.turn.stolen.map(|card| (self.active, card));
        hide(&mut seen.dragon, seat, stolen, (&DragonCard::ALL, DragonCard::index));
        seen.draws = 0;
        seen
    }

    /// Writes an observation: see the crate's README for the meaning of every byte.
    pub(crate) fn write_observation(&self, seat: Seat, out: &mut [u8]) {
        let own = if seat == Side::Bottom.seat() { Side::Bottom } else { Side::Top };
        let (header, rest) = out.split_at_mut(HEADER);
        self.write_header(own, header);
        let (cards, hexes) = rest.split_at_mut(CARDS);
        cards.fill(0);
        self.write_cards(own, cards);
        self.write_hexes(hexes);
    }

    /// The part that is not about cards or hexes; pairs are by army, the top one first.
    fn write_header(&self, own: Side, out: &mut [u8]) {
        let turn = &self.turn;
        let mut writer = Bytes { out, at: 0 };
        let pair = |value: &dyn Fn(Side) -> u8| Side::ALL.map(value);
        writer.put(&[own as u8, self.active as u8, self.first as u8]);
        let question = self.agenda.last().copied().filter(|_| self.decided.is_none());
        writer.put(&[question.and_then(|step| self.decider(step)).map_or(NONE, |side| side as u8)]);
        writer.put(&question.map_or([NONE; 3], |step| self.question_code(step)));
        writer.put(&[self.decided.map_or(NONE, |decided| decided.end as u8)]);
        writer.put(&[self.decided.and_then(|decided| decided.winner).map_or(NONE, |side| side as u8)]);
        writer.put(&self.scenario.number.to_le_bytes());
        writer.put(&self.round.to_le_bytes());
        writer.put(&pair(&|side| self.trackers.turns[side].min(255) as u8));
        writer.put(&pair(&|side| self.honor[side]));
        writer.put(&[self.pool(), self.tokens]);
        writer.put(&pair(&|side| self.banners[side]));
        writer.put(&pair(&|side| self.temporary_banners(side)));
        writer.put(&pair(&|side| self.scenario.banners_to_win[side]));
        writer.put(&pair(&|side| u8::from(self.tents[side])));
        writer.put(&pair(&|side| self.command.hands[side].len() as u8));
        writer.put(&pair(&|side| self.dragon.hands[side].len() as u8));
        writer.put(&[self.command.deck.len() as u8, self.dragon.deck.len() as u8]);
        writer.put(&[turn.command.map_or(NONE, |card| card as u8)]);
        writer.put(&effective_code(turn.effective));
        for side in Side::ALL {
            writer.put(&effective_code(self.last[side]));
        }
        let played = |place: usize| turn.played.get(place).map_or(NONE, |&card| card as u8);
        writer.put(&[played(0), played(1), played(2), turn.stolen.map_or(NONE, |card| card as u8)]);
        writer.put(&pair(&|side| u8::from(turn.dragon_used[side])));
        writer.put(&[turn.first_strikes, effects_code(&turn.effects), turn.effects.extra_orders]);
        writer.put(&turn.shogun);
        writer.put(&self.trackers.captured.to_le_bytes());
        writer.put(&[self.trackers.hill_majority.map_or(NONE, |side| side as u8)]);
        let mover = &self.mover;
        let moving = question.is_some_and(|step| {
            matches!(
                step,
                Step::Destination | Step::Window { window: Window::MoveActive | Window::MoveOther, .. }
            )
        });
        writer.put(&[if moving { mover.from.0 } else { NONE }]);
        writer.put(&[u8::from(mover.katchu_keiba)
            | u8::from(mover.haya_ji) << 1
            | u8::from(mover.unit.is_some()) << 2]);
        let combat = &self.combat;
        let roll = &combat.roll;
        let fighting = !combat.attackers.is_empty();
        writer
            .put(&[if fighting { combat.target.0 } else { NONE }, if fighting { roll.hex.0 } else { NONE }]);
        let marks = [
            combat.ranged,
            combat.bonus,
            combat.legendary,
            combat.struck_first,
            roll.terror,
            roll.cowards,
            roll.courage,
            roll.head_collector,
        ];
        writer.put(&[bits(&marks), roll.kind as u8, roll.side as u8, roll.dice, combat.dice_against]);
        writer.put(&roll.faces.0);
        debug_assert_eq!(writer.at, HEADER);
    }

    /// The own hands and the discards, as numbers by kind.
    fn write_cards(&self, own: Side, out: &mut [u8]) {
        let (command, dragon) = out.split_at_mut(2 * CommandCard::COUNT);
        let (hand, discards) = command.split_at_mut(CommandCard::COUNT);
        self.command.hands[own].iter().for_each(|card| hand[card.index()] += 1);
        self.command.discards.iter().for_each(|card| discards[card.index()] += 1);
        let (hand, discards) = dragon.split_at_mut(DragonCard::COUNT);
        self.dragon.hands[own].iter().for_each(|card| hand[card.index()] += 1);
        self.dragon.discards.iter().for_each(|card| discards[card.index()] += 1);
    }

    /// Terrain, unit, leader, marks of both, hex by hex: the map as it is without pieces, and then the pieces.
    fn write_hexes(&self, out: &mut [u8]) {
        let scenario = self.scenario;
        out.copy_from_slice(scenario.ground.as_flattened());
        let out = out.as_chunks_mut::<PER_HEX>().0;
        for hex in scenario.hexes_of(Terrain::Tent) {
            // The tent may have been removed.
            out[hex.index()] = empty_hex(self.terrain(hex), scenario.impassable.contains(hex));
        }
        let turn = &self.turn;
        let held = self.held_units();
        for hex in self.index.unit_hexes[Side::Top] | self.index.unit_hexes[Side::Bottom] {
            let Some(id) = self.unit_at(hex) else { continue };
            let unit = self.unit(id);
            out[hex.index()][1] = unit.kind as u8 | (unit.side as u8) << 4 | (unit.blocks - 1) << 5;
            out[hex.index()][2] = bits(&[
                turn.ordered.contains(id),
                turn.chosen.contains(id),
                turn.moved.contains(id),
                turn.barred.contains(id),
                turn.battled.contains(id),
                self.trackers.marked.contains(id),
                held.contains(id),
                self.combat.attackers.contains(id),
            ]);
        }
        for hex in self.index.leader_hexes[Side::Top] | self.index.leader_hexes[Side::Bottom] {
            let Some(id) = self.leader_at(hex) else { continue };
            let leader = self.leader(id);
            out[hex.index()][3] = leader.kind as u8 | (leader.side as u8) << 4;
            out[hex.index()][4] = bits(&[
                turn.ordered_leaders.contains(id),
                turn.chosen_leaders.contains(id),
                leader.was_commander,
                self.leader_value(id) > 1,
            ]);
        }
    }
}

/// A hex without pieces as it stands in an observation.
pub(crate) const fn empty_hex(terrain: Terrain, impassable: bool) -> [u8; PER_HEX] {
    [terrain as u8 | (impassable as u8) << 7, NONE, 0, NONE, 0]
}

/// Puts the cards of the hands that a viewer does not see and of the deck, which it cannot tell apart, in table order; one
/// of a hand may be known.
fn hide<C, const N: usize>(
    cards: &mut Deck<C, N>,
    viewer: Seat,
    known: Option<(Side, C)>,
    kinds: (&[C], fn(C) -> usize),
) where
    C: Copy + Default + PartialEq + Serialize,
{
    let others = || Side::ALL.into_iter().filter(|side| side.seat() != viewer);
    let known = known.filter(|&(side, card)| side.seat() != viewer && cards.hands[side].contains(&card));
    let mut hidden: List<C, N> = cards.deck;
    for &card in others().flat_map(|side| cards.hands[side].iter()) {
        hidden.push(card);
    }
    if let Some(place) = known.and_then(|(_, known)| hidden.iter().position(|&card| card == known)) {
        hidden.remove(place);
    }
    in_table_order(&mut hidden, kinds);
    let mut rest = &hidden[..];
    for side in others() {
        let own = known.filter(|&(holder, _)| holder == side).map(|(_, card)| card);
        let (hand, later) = rest.split_at(cards.hands[side].len() - usize::from(own.is_some()));
        cards.hands[side] = own.into_iter().chain(hand.iter().copied()).collect();
        rest = later;
    }
    cards.deck = List::of(rest);
}

/// Puts cards in the order of a table of all kinds, each of which has an index there.
fn in_table_order<C: Copy>(cards: &mut [C], (table, index): (&[C], fn(C) -> usize)) {
    let mut counts = [0_u8; 64];
    for &card in cards.iter() {
        counts[index(card)] += 1;
    }
    let sorted =
        table.iter().zip(counts).flat_map(|(&card, count)| std::iter::repeat_n(card, usize::from(count)));
    for (place, card) in cards.iter_mut().zip(sorted) {
        *place = card;
    }
}

/// A card as it counts, with its slots.
fn effective_code(effective: Option<Effective>) -> [u8; 4] {
    effective.map_or([NONE, 0, 0, 0], |Effective { card, slots }| {
        let [left, center, right] = slots.0;
        [card as u8, left, center, right]
    })
}

/// The effects that last for the rest of the turn, one bit each.
fn effects_code(effects: &Effects) -> u8 {
    bits(&[
        effects.ashigaru_attack,
        effects.fire_arrows,
        effects.volley,
        effects.wind,
        effects.white_fox,
        effects.flags == FlagRule::CannotIgnore,
        effects.flags == FlagRule::MayIgnoreAll,
        effects.fallback,
    ])
}

/// Packs up to eight flags into one byte, the first in the lowest bit.
fn bits(answers: &[bool]) -> u8 {
    answers.iter().enumerate().fold(0, |byte, (place, &answer)| byte | u8::from(answer) << place)
}

impl State {
    /// The question that is open: its number, what it is about, and the hex of the piece it is about.
    fn question_code(&self, step: Step) -> [u8; 3] {
        let unit = |unit| self.unit(unit).hex.0;
        match step {
            Step::PlayCommand => [1, NONE, NONE],
            Step::Window { window, .. } => [2, window as u8, NONE],
            Step::TacticalWisdom => [3, NONE, NONE],
            Step::DragonTarget { card } => [4, card as u8, NONE],
            Step::Turncoat { unit: turned } => [5, NONE, unit(turned)],
            Step::NinjaThief => [6, NONE, NONE],
            Step::PlayStolen { card } => [7, card as u8, NONE],
            Step::DriveBack { symbol, .. } => [8, symbol as u8, NONE],
            Step::Order => [9, NONE, NONE],
            Step::Move => [10, NONE, NONE],
            Step::Destination => [11, NONE, self.mover.from.0],
            Step::Battle => [12, NONE, NONE],
            Step::Target => [13, NONE, unit(self.combat.attacker)],
            Step::Charge => [14, NONE, self.combat.target.0],
            Step::SecondShot => [15, NONE, unit(self.combat.attacker)],
            Step::Duellist { challenger } => [16, challenger as u8, NONE],
            Step::Struck => [17, NONE, self.combat.target.0],
            Step::Inspire { unit: inspired } => [18, NONE, unit(inspired)],
            Step::CardUnit { card, .. } => [19, card as u8, NONE],
            Step::IgnoreFlags { flags } => [20, flags, self.combat.roll.hex.0],
            Step::Retreat { unit: retreats, hexes } => [21, hexes, unit(retreats)],
            Step::LeaderFate { leader } => [22, NONE, self.leader(leader).hex.0],
            Step::LoseNearest { symbol, from, .. } => [23, symbol as u8, from.0],
            Step::LoseBlock { symbol, .. } => [24, symbol as u8, NONE],
            Step::TakeGround => [25, NONE, self.combat.target.0],
            Step::BonusMelee => [26, NONE, unit(self.combat.attacker)],
            Step::BattleBack => [27, NONE, self.combat.target.0],
            Step::Advise => [28, NONE, NONE],
            Step::KeepOne => [29, NONE, NONE],
            Step::Replenish => [30, NONE, NONE],
            Step::DiscardForHonor => [31, NONE, NONE],
            Step::CarryLoss { swords, .. } => [32, u8::from(swords), NONE],
            Step::CarryBack { .. } => [33, NONE, NONE],
            Step::CarryBackTo { unit: back, .. } => [34, NONE, unit(back)],
            _ => [NONE; 3],
        }
    }
}

/// Bytes written one after the other.
struct Bytes<'a> {
    out: &'a mut [u8],
    at: usize,
}

impl Bytes<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.out[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sengoku_kernel::conformance::{self, Visibility};
    use sengoku_kernel::{Game, Purpose, Stream};
    use serde_json::json;

    use super::*;

    /// Counts, over some matches, the visible and hidden changes of every variable.
    fn visibility() -> BTreeMap<String, Visibility> {
        let mut visibility: BTreeMap<String, Visibility> = BTreeMap::new();
        for (number, decisions) in [(1, (1_000, 9)), (12, (1_000, 9))] {
            let setup = json!({ "scenario": number });
            let start = State::create(2, &setup, &mut Stream::new(0, Purpose::Game, 0)).unwrap();
            let rebuild = |table| {
                let mut state: State = serde_json::from_value(table).ok()?;
                state.scenario = start.scenario;
                state.index_pieces();
                Some(state)
            };
            for (name, one) in conformance::check_visibility(2, &setup, decisions, &[], rebuild) {
                let sum = visibility.entry(name).or_default();
                (sum.hidden, sum.shown) = (sum.hidden + one.hidden, sum.shown + one.shown);
                sum.missing += one.missing;
            }
        }
        visibility
    }

    #[test]
    fn an_observation_has_what_the_seat_may_see_and_nothing_else() {
        let visibility = visibility();
        // Read when it runs: the list has a reason for each name, for people.
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hidden.txt");
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let listed = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let listed: Vec<&str> = listed.filter(|line| !line.is_empty()).collect();
        assert_eq!(conformance::hidden_and_missing(&visibility), listed);
        assert!(visibility.values().filter(|visibility| visibility.shown > 0).count() > 40, "{visibility:?}");
    }
}
