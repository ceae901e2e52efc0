//! Texts of actions and cards, for legal lists, replays and pictures.

use sengoku_tower::action::Action;
use sengoku_tower::board::FavourCard;
use sengoku_tower::data::{Building, Effect, FavourKind, PRICES, ProvinceId, SeatId, Space, Special};
use sengoku_tower::state::{Point, State};
use serde_json::{Value, json};

use crate::{ActionText, Words};

impl Words<'_, State> {
    /// The space that is entered, while plans are.
    fn entering(&self) -> Option<Space> {
        match self.point {
            Point::Plan(entered) => Space::ENTRY.get(usize::from(entered)).copied(),
            _ => None,
        }
    }

    fn open_card(&self, position: u8) -> Option<ProvinceId> {
        self.draft.open.get(usize::from(position)).copied().flatten()
    }

    fn laid_card(&self, price: u8) -> Option<u8> {
        let place = PRICES.into_iter().position(|known| known == price)?;
        self.court.laid[place]
    }

    /// An action as it stands at this point of the match.
    pub(super) fn in_words(&self, action: Action) -> ActionText {
        let key = |province: ProvinceId| self.board.key(province);
        let mut args = match action {
            Action::Pass
            | Action::Refresh
            | Action::Keep
            | Action::Deck
            | Action::RemoveEvent
            | Action::Empty
            | Action::TowerCard => json!({}),
            Action::Open(position) => {
                json!({ "position": position, "province": self.open_card(position).map(key) })
            }
            Action::Group(armies) => json!({ "armies": armies }),
            Action::Treasure(value) => json!({ "value": value }),
            Action::Slot(slot) => {
                let special = self.special_on_slot.get(usize::from(slot) - 1);
                json!({ "slot": slot, "special": special.map(|special| special.name()) })
            }
            Action::Favour(price) => json!({ "price": price, "card": self.laid_card(price) }),
            Action::Province(province) => json!({ "province": key(province) }),
            Action::Move { to, armies } => json!({ "to": key(to), "armies": armies }),
        };
        let planned =
            matches!(action, Action::Empty | Action::Treasure(_) | Action::TowerCard | Action::Province(_));
        if let (Some(space), true) = (self.entering(), planned) {
            args["space"] = Value::from(space.name());
        }
        ActionText { index: action.index(), name: action.name(), args, text: self.text(action) }
    }

    fn text(&self, action: Action) -> String {
        let name = |province: ProvinceId| self.board.name(province);
        let plan = |card: &str| match self.entering() {
            Some(space) => format!("plan {}: {card}", space_text(space)),
            None => format!("plan: {card}"),
        };
        match action {
            Action::Pass => self.pass_text().into(),
            Action::Refresh => "put both open cards under the deck".into(),
            Action::Keep => "keep the open cards".into(),
            Action::Open(position) => match self.open_card(position) {
                Some(province) => format!("take {}", name(province)),
                None => format!("take open card {position}"),
            },
            Action::Deck => "take the top card of the deck".into(),
            Action::Group(armies) => match self.draft.taken {
                Some(province) => format!("{} to {}", count(armies, "army", "armies"), name(province)),
                None => format!("a group of {}", count(armies, "army", "armies")),
            },
            Action::Empty => plan("nothing"),
            Action::Treasure(value) => plan(&format!("treasure card {value}")),
            Action::TowerCard => plan("tower card"),
            Action::Slot(slot) => match self.special_on_slot.get(usize::from(slot) - 1) {
                Some(special) => format!("slot {slot}: {}", special_text(*special)),
                None => format!("slot {slot}"),
            },
            Action::Favour(price) => match self.laid_card(price) {
                Some(card) => {
                    let gives = favour_text(self.board.favour(card));
                    format!("favour {card} for {price} officers: {gives}")
                }
                None => format!("the favour for {price} officers"),
            },
            Action::RemoveEvent => "remove the event of the season".into(),
            Action::Province(province) if self.entering().is_some() => plan(name(province)),
            Action::Province(province) => self.province_text(province),
            Action::Move { to, armies } => self.move_text(to, armies),
        }
    }

    fn pass_text(&self) -> &'static str {
        match self.point {
            Point::Favour => "take no favour",
            Point::FavourEvent => "leave the event",
            Point::Kept => "keep the favour for later",
            _ => "do not move",
        }
    }

    fn province_text(&self, province: ProvinceId) -> String {
        let name = self.board.name(province);
        let favour = self.court.taken.map(|card| self.board.favour(card));
        match self.point {
            Point::FavourUnrest | Point::Kept => format!("remove an unrest marker from {name}"),
            Point::FavourArmies => match favour {
                Some(favour) => format!("{} to {name}", count(favour.amount, "army", "armies")),
                None => format!("armies to {name}"),
            },
            Point::FavourBuilding => {
                let building = favour.and_then(|favour| favour.kind.building());
                format!("{} in {name}", building.map_or("building", building_text))
            }
            Point::Revolt => format!("the revolt in {name} comes next"),
            _ => name.into(),
        }
    }

    fn move_text(&self, to: ProvinceId, armies: u8) -> String {
        let armies = count(armies, "army", "armies");
        let target = self.board.name(to);
        let from = self.planned_province().map_or("", |from| self.board.name(from));
        if self.provinces[to].owner == Some(self.decider) {
            format!("move {armies} from {from} to {target}")
        } else {
            format!("attack {target} from {from} with {armies}")
        }
    }
}

/// A number of things.
fn count(number: u8, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A player by colour and seat.
pub(super) fn seat_text(state: &State, seat: SeatId) -> String {
    format!("{} (seat {})", state.colour_name(seat), seat.0)
}

/// A plan space in words.
pub(super) const fn space_text(space: Space) -> &'static str {
    match space {
        Space::Castle => "castle",
        Space::Temple => "temple",
        Space::No => "Nô theatre",
        Space::Rice => "rice",
        Space::Tax => "tax",
        Space::Deploy5 => "five armies",
        Space::Deploy3 => "three armies",
        Space::Deploy1 => "one army and move",
        Space::BattleA => "battle A",
        Space::BattleB => "battle B",
        Space::Bid => "bid",
        Space::Convert1 => "conversion of 1",
        Space::Convert2 => "conversion of 2",
        Space::Convert3 => "conversion of 3",
    }
}

/// A kind of building in words.
pub(super) const fn building_text(building: Building) -> &'static str {
    match building {
        Building::Castle => "castle",
        Building::Temple => "temple",
        Building::No => "Nô theatre",
    }
}

/// Text of a special card.
pub(super) const fn special_text(special: Special) -> &'static str {
    match special {
        Special::ChestPlus1 => "chests +1",
        Special::RicePlus1 => "rice +1",
        Special::SixArmies => "6 armies for 5",
        Special::AttackPlus1 => "attack +1",
        Special::DefencePlus1 => "defence +1",
    }
}

/// Text of an event.
pub(super) const fn effect_text(effect: Effect) -> &'static str {
    match effect {
        Effect::NoRemovesUnrest => "a new Nô theatre calms unrest",
        Effect::NeutralTwoFarmers => "two farmers defend neutral land",
        Effect::CastleDefence => "a castle defends as an army",
        Effect::TempleShield => "no attack on temples",
        Effect::TaxMax5 => "at most 5 chests of tax",
        Effect::TaxMin6 => "at least 6 chests of tax",
        Effect::RiceMin4 => "at least 4 rice",
        Effect::RiceMax3 => "at most 3 rice",
        Effect::FewRecruits => "3 armies for 5, 2 for 3",
    }
}

/// Text of a favour.
pub(super) fn favour_text(favour: &FavourCard) -> String {
    let some = |one, many| count(favour.amount, one, many);
    match favour.kind {
        FavourKind::CancelEvent => "remove the event".into(),
        FavourKind::Chests => some("chest", "chests"),
        FavourKind::ArmiesToTray => some("army", "armies") + " to the tray",
        FavourKind::RemoveUnrest => "remove an unrest marker".into(),
        FavourKind::Rice => some("rice", "rice"),
        FavourKind::Points => some("point", "points"),
        FavourKind::BuildNo | FavourKind::BuildTemple | FavourKind::BuildCastle => {
            format!("a {} for free", favour.kind.building().map_or("building", building_text))
        }
        FavourKind::ImmuneA => "not attacked in battle A".into(),
        FavourKind::ImmuneB => "not attacked in battle B".into(),
        FavourKind::ImmuneAb => "not attacked in battles A and B".into(),
        FavourKind::ArmiesToProvince => some("army", "armies") + " to a province",
    }
}
