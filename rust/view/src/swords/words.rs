//! Texts of actions, for legal lists and replays.

use sengoku_swords::action::{Action, BUNDLES};
use sengoku_swords::data::{Fort, ProvinceId, Unit};
use sengoku_swords::play::levying::unit_at;
use sengoku_swords::state::{Attacker, Phase, PlanBox, Point, State};
use serde_json::{Value, json};

use super::names::province_name;
use crate::{ActionText, Words};

impl Words<'_, State> {
    /// An action as it stands at this point of the match.
    pub(super) fn in_words(&self, action: Action) -> ActionText {
        let key = |province: ProvinceId| self.map.key(province.0);
        let args = match action {
            Action::Pass | Action::Done | Action::Stop | Action::Continue | Action::CallOff => json!({}),
            Action::Amount(amount) => json!({ "amount": amount }),
            Action::Clan(clan) => json!({ "clan": clan.0 }),
            Action::Sword(sword) => json!({ "sword": sword }),
            Action::Bundle(bundle) => {
                let units = BUNDLES[usize::from(bundle)].iter();
                let units: serde_json::Map<String, Value> =
                    units.map(|&(unit, count)| (unit.name().into(), count.into())).collect();
                json!({ "units": units })
            }
            Action::Army(army) => json!({ "army": army + 1 }),
            Action::Daimyo { clan, army } => json!({ "clan": clan.0, "army": army + 1 }),
            Action::FromArmy(unit) | Action::FromProvince(unit) => json!({ "unit": unit.name() }),
            Action::Province(province) | Action::IntoArmy(province) => json!({ "province": key(province) }),
            Action::Step { to, hidden } => json!({ "to": key(to), "hidden": hidden }),
        };
        ActionText { index: action.index(), name: action.name(), args, text: self.text(action) }
    }

    fn name(&self, province: ProvinceId) -> String {
        province_name(self.map, province.0)
    }

    fn text(&self, action: Action) -> String {
        if let Some(recovery) = self.recovery {
            return match action {
                Action::Province(province) => format!("recovered daimyo to {}", self.name(province)),
                Action::FromProvince(unit) => format!("recovered daimyo picks up {}", one(unit)),
                _ => format!("recovered daimyo of clan {} is done", recovery.clan.0),
            };
        }
        match action {
            Action::Daimyo { clan, army } if self.revenge.is_some() => {
                format!("revenge on daimyo {} of clan {}", army + 1, clan.0)
            }
            Action::Daimyo { clan, army } => format!("ninja against daimyo {} of clan {}", army + 1, clan.0),
            Action::Pass if self.window.is_some() => "ninja waits".into(),
            Action::Pass => self.pass_text().into(),
            Action::Done => self.done_text().into(),
            Action::Stop if self.phase == Phase::C => "no further attack".into(),
            Action::Stop => "army stops".into(),
            Action::Continue => "fight on".into(),
            Action::CallOff => "call the battle off".into(),
            Action::Amount(amount) => self.amount_text(amount),
            Action::Clan(clan) => format!("spy on clan {}", clan.0),
            Action::Sword(sword) => format!("sword {sword}"),
            Action::Bundle(0) => "buy nothing".into(),
            Action::Bundle(bundle) => {
                let units = BUNDLES[usize::from(bundle)].iter();
                let units: Vec<String> =
                    units.map(|&(unit, count)| format!("{count} {}", unit.name())).collect();
                format!("buy {}", units.join(" and "))
            }
            Action::Army(army) => match self.point {
                Point::Declare => format!("army {} declares", army + 1),
                Point::ChooseBattle => format!("battle of army {}", army + 1),
                _ => format!("move army {}", army + 1),
            },
            Action::FromArmy(unit) => match self.point {
                Point::Casualties(_) => format!("lose {} of the army", one(unit)),
                Point::Detach { to, .. } => format!("detach {} to {}", one(unit), self.name(to)),
                _ => format!("leave {} as garrison", one(unit)),
            },
            Action::FromProvince(unit) => match self.point {
                Point::Casualties(_) => format!("lose {} of the provincial force", one(unit)),
                Point::ChooseUnits { .. } => format!("take {} along", one(unit)),
                _ => format!("pick up {}", one(unit)),
            },
            Action::Province(province) => self.province_text(province),
            Action::IntoArmy(province) => {
                format!("{} into the army in {}", self.levied(), self.name(province))
            }
            Action::Step { to, hidden: 0 } => format!("step to {}", self.name(to)),
            Action::Step { to, hidden } => format!("step to {} with {hidden} hidden ronin", self.name(to)),
        }
    }

    fn pass_text(&self) -> &'static str {
        match self.point {
            Point::Spy => "no spying",
            Point::Build => "build nothing",
            Point::Levy(_) => "give the unit up",
            Point::Ronin(_) => "send the ronin back",
            Point::RevealAttacker(_) => "reveal no ronin",
            _ => "stay",
        }
    }

    fn done_text(&self) -> &'static str {
        match self.point {
            Point::ChooseArmy => "no further army moves",
            Point::Garrison { .. } => "the garrison is complete",
            Point::Detach { .. } => "the detachment is complete",
            Point::Declare => "no further declaration",
            Point::ChooseForce => "no further force moves",
            _ => "done",
        }
    }

    fn amount_text(&self, amount: u8) -> String {
        match self.point {
            Point::Plan(PlanBox::Swords) => format!("{amount} koku for swords"),
            Point::Plan(PlanBox::Build) => format!("{amount} koku for building"),
            Point::Plan(PlanBox::Levy) => format!("{amount} koku for levies"),
            Point::Plan(PlanBox::Ronin) => format!("{amount} koku for ronin, the rest for the ninja"),
            Point::LeaveRonin(_) => format!("{amount} ronin stay behind"),
            Point::IntoArmy(unit) => format!("{amount} {} into the army", unit.name()),
            _ => format!("{amount} ronin to the army"),
        }
    }

    fn province_text(&self, province: ProvinceId) -> String {
        let name = self.name(province);
        match self.point {
            Point::Divide(_) => format!("{name} to clan {}", self.decider.0),
            Point::Reinforce(_) => format!("2 spearmen to {name}"),
            Point::PlaceArmies(_) => format!("army to {name}"),
            Point::Build if self.provinces[province].fort == Fort::None => format!("castle in {name}"),
            Point::Build => format!("base under the castle in {name}"),
            Point::Levy(_) => format!("{} to {name}", self.levied()),
            Point::Ronin(_) => format!("a hidden ronin to {name}"),
            Point::Move { .. } => format!("detach units to {name}"),
            Point::Declare => format!("the force in {name} declares"),
            Point::DeclareTarget(Attacker::Army(army)) => format!("army {} against {name}", army + 1),
            Point::DeclareTarget(Attacker::Force(from)) => format!("{} against {name}", self.name(from)),
            Point::ChooseBattle => format!("battle of the force in {name}"),
            Point::NextTarget => format!("attack {name}"),
            Point::ChooseForce => format!("move units out of {name}"),
            _ => name,
        }
    }

    /// The levied unit that is to be placed, in words.
    fn levied(&self) -> &'static str {
        let Point::Levy(place) = self.point else { return "a unit" };
        unit_at(&self.clans[self.decider].bought, place).map_or("a unit", one)
    }
}

const fn one(unit: Unit) -> &'static str {
    match unit {
        Unit::Bow => "a bowman",
        Unit::Gun => "a gunner",
        Unit::Daimyo => "the daimyo",
        Unit::Sword => "a swordsman",
        Unit::Ronin => "a ronin",
        Unit::Spear => "a spearman",
    }
}
