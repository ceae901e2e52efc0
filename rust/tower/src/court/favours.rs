//! Favour cards: laying out, the audience, and what they do (CT-FAV, CT-COURT-05..10, CT-CARD).

use sengoku_kernel::{List, Top, shuffle_cards};

use crate::action::{Action, ActionSink};
use crate::data::{Building, FAVOURS, FavourKind, PRICES, ProvinceId, Provinces, SeatId};
use crate::event::{Context, Event};
use crate::state::{Point, State};

impl State {
    /// The favour deck, after the event deck (CT-SETUP-04, CT-RNG-01).
    pub(crate) fn shuffle_favours(&mut self, context: &mut impl Context) {
        let mut cards: [u8; FAVOURS] = std::array::from_fn(|place| place as u8 + 1);
        shuffle_cards(&mut cards, Top::First, &mut self.draws, context, |card| card.to_string());
        self.court.deck = List::of(&cards);
    }

    /// Three cards into the hall, the highest on the place for 4 officers (CT-FAV-01).
    pub(crate) fn lay_favours(&mut self, context: &mut impl Context) {
        self.court.laid = PRICES.map(|_| self.court.deck.take_first());
        self.court.laid.sort_unstable_by(|one, other| other.cmp(one));
        let cards = self.court.laid;
        context.log(|| Event::FavoursLaid { cards: cards.to_vec() });
    }

    /// The next player moves into the hall, or the court closes (CT-COURT-06, CT-COURT-09).
    pub(crate) fn advance_hall(&mut self, context: &mut impl Context) {
        let next = self.court.order.get(usize::from(self.court.turn)).copied();
        let Some(seat) = next.filter(|_| self.court.laid.iter().any(Option::is_some)) else {
            self.close_court(context);
            return;
        };
        let officers = &mut self.players[seat].officers;
        let moved = std::mem::take(&mut officers.entrance);
        officers.hall += moved;
        context.log(|| Event::Audience { seat, officers: moved });
        self.ask(seat, Point::Favour);
    }

    /// Officers go back to the entrance, cards that were not taken leave the game (CT-COURT-10).
    fn close_court(&mut self, context: &mut impl Context) {
        for seat in self.everyone() {
            let officers = &mut self.players[seat].officers;
            officers.entrance += std::mem::take(&mut officers.hall);
        }
        let left = std::mem::take(&mut self.court.laid);
        context.log(|| Event::CourtClosed { left: left.into_iter().flatten().collect() });
        self.court.order.clear();
        self.court.turn = 0;
        self.decider = self.turn_order[0];
        self.point = Point::Turn;
    }

    pub(crate) fn legal_favours(&self, out: &mut impl ActionSink) {
        out.add(Action::Pass);
        for (place, price) in PRICES.into_iter().enumerate() {
            if self.court.laid[place].is_some() && self.players[self.decider].officers.hall >= price {
                out.add(Action::Favour(price));
            }
        }
    }

    /// A card is taken and paid, or none (CT-COURT-06, CT-COURT-07).
    pub(crate) fn play_favour(&mut self, action: Action, context: &mut impl Context) {
        let seat = self.decider;
        let taken = match action {
            Action::Favour(price) => {
                let place = PRICES.into_iter().position(|known| known == price);
                place.and_then(|place| self.court.laid[place].take()).map(|card| (card, price))
            }
            _ => None,
        };
        let Some((card, price)) = taken else {
            context.log(|| Event::NoFavour { seat });
            self.end_audience();
            return;
        };
        let officers = &mut self.players[seat].officers;
        officers.hall -= price;
        officers.supply += price;
        let kind = self.board.favour(card).kind;
        context.log(|| Event::FavourTaken { seat, card, kind, price });
        self.court.taken = Some(card);
        self.use_favour(seat, card, context);
    }

    /// The turn in the hall is over.
    fn end_audience(&mut self) {
        self.court.taken = None;
        self.court.turn += 1;
        self.point = Point::Hall;
    }

    /// Uses a favour at once if possible, keeps it, or nothing happens (CT-COURT-08, CT-R-04, CT-R-09..12).
    fn use_favour(&mut self, seat: SeatId, card: u8, context: &mut impl Context) {
        let favour = self.board.favour(card);
        let (kind, amount) = (favour.kind, favour.amount);
        let decision = match kind {
            FavourKind::CancelEvent => self.effect().map(|_| Point::FavourEvent),
            FavourKind::RemoveUnrest => Some(Point::FavourUnrest),
            FavourKind::ArmiesToProvince => Some(Point::FavourArmies),
            FavourKind::BuildNo | FavourKind::BuildTemple | FavourKind::BuildCastle => {
                Some(Point::FavourBuilding)
            }
            _ => None,
        };
        if let Some(point) = decision {
            self.ask(seat, point);
            if point == Point::FavourEvent || self.favour_targets() != 0 {
                return;
            }
        }
        let player = &mut self.players[seat];
        match kind {
            FavourKind::Chests => player.chests += u16::from(amount),
            FavourKind::Rice => player.rice += u16::from(amount),
            FavourKind::Points => {
                player.score += u16::from(amount);
                player.tally[usize::from(self.year) - 1].favours += amount;
            }
            FavourKind::ArmiesToTray if self.supply.of(seat) >= amount => {
                *self.supply.of_mut(seat) -= amount;
                *self.tray.of_mut(seat) += amount;
            }
            FavourKind::ImmuneA | FavourKind::ImmuneB | FavourKind::ImmuneAb | FavourKind::RemoveUnrest => {
                player.kept.add(card);
                context.log(|| Event::FavourKept { seat, card });
                self.end_audience();
                return;
            }
            FavourKind::CancelEvent
            | FavourKind::ArmiesToTray
            | FavourKind::BuildNo
            | FavourKind::BuildTemple
            | FavourKind::BuildCastle
            | FavourKind::ArmiesToProvince => {
                context.log(|| Event::FavourWithoutEffect { seat, card });
                self.end_audience();
                return;
            }
        }
        context.log(|| Event::FavourGained { seat, kind, amount });
        self.end_audience();
    }

    /// The provinces that the favour just taken can be used for (CT-D-03, CT-D-05, CT-D-06).
    pub(crate) fn favour_targets(&self) -> u64 {
        let seat = self.decider;
        let Some(card) = self.court.taken else { return 0 };
        let favour = self.board.favour(card);
        match favour.kind {
            FavourKind::RemoveUnrest => self.unquiet(seat),
            FavourKind::ArmiesToProvince if self.supply.of(seat) >= favour.amount => {
                self.owned[seat] | self.neutral() // CT-R-10
            }
            kind => kind.building().map_or(0, |building| self.sites_for(seat, building)),
        }
    }

    /// Own provinces in which a building could be put up (CT-R-11).
    fn sites_for(&self, seat: SeatId, building: Building) -> u64 {
        Provinces(self.owned[seat])
            .filter(|&province| self.can_build(province, building).is_ok())
            .fold(0, |set, province| set | province.bit())
    }

    /// The event of the season is removed or stays (CT-D-02, CT-R-08).
    pub(crate) fn play_favour_event(&mut self, action: Action, context: &mut impl Context) {
        let (seat, removed) = (self.decider, action == Action::RemoveEvent);
        self.event_removed |= removed;
        context.log(|| Event::EventRemoved { seat, removed });
        self.end_audience();
    }

    pub(crate) fn play_favour_target(&mut self, action: Action, context: &mut impl Context) {
        let (Action::Province(province), Some(card)) = (action, self.court.taken) else { return };
        let seat = self.decider;
        let favour = self.board.favour(card);
        let key = self.board.key(province);
        context.log(|| Event::FavourUsed { seat, card, province: key });
        match favour.kind {
            FavourKind::RemoveUnrest => self.calm(province, context),
            FavourKind::ArmiesToProvince => self.reinforce(seat, province, favour.amount, context),
            kind => {
                if let Some(building) = kind.building() {
                    let built = self.build(seat, province, building, false, context);
                    debug_assert_eq!(built, Ok(()), "only sites are offered");
                }
            }
        }
        self.end_audience();
    }

    /// Armies into an own or a neutral province, which becomes the player's without battle (CT-CARD-01, CT-R-10).
    fn reinforce(&mut self, seat: SeatId, province: ProvinceId, armies: u8, context: &mut impl Context) {
        *self.supply.of_mut(seat) -= armies;
        let key = self.board.key(province);
        context.log(|| Event::Deployed { seat, province: key, armies, paid: 0 });
        if self.provinces[province].owner == Some(seat) {
            self.provinces[province].armies += armies;
        } else {
            self.conquer(seat, province, armies, context);
        }
    }

    /// Protections leave the game with the season (CT-CARD-03).
    pub(crate) fn drop_protections(&mut self, seat: SeatId) {
        let kept = self.players[seat].kept;
        for number in kept.iter().filter(|&number| self.board.favour(number).kind.is_protection()) {
            self.players[seat].kept.remove(number);
        }
    }
}
