//! The story of a match: a sentence for every event.

use sengoku_swords::data::{ByUnit, ClanId, Unit};
use sengoku_swords::play::combat::{BattleEnd, Role};
use sengoku_swords::{Event, State};

use self::terms::{clan_text, fort_text, losses_text, plan_text, step_text, unit_text, units_text};
use super::names::{clan_name, province_name};
use crate::story::{Told, count, list};

mod terms;

/// Tells events in order; it remembers who fights.
pub(super) struct Teller<'a> {
    state: &'a State,
    attacker: String,
    defender: String,
    /// Losses of both sides in the battle under way, bonus units apart.
    losses: [(u8, ByUnit<u8>); 2],
}

impl<'a> Teller<'a> {
    pub(super) const fn new(state: &'a State) -> Self {
        Self { state, attacker: String::new(), defender: String::new(), losses: [(0, ByUnit([0; 6])); 2] }
    }

    /// The display name of a province by its key.
    fn province(&self, key: &str) -> String {
        self.state
            .map
            .find(key)
            .map_or_else(|| key.into(), |province| province_name(self.state.map, province))
    }

    fn provinces(&self, keys: &[&str]) -> String {
        list(&keys.iter().map(|key| self.province(key)).collect::<Vec<_>>())
    }

    /// A player's name; with two players each has two clans.
    pub(super) fn player(&self, seat: u8) -> String {
        let mut clans = ClanId::all().filter(|clan| clan.index() < self.state.clan_count());
        match clans.find(|&clan| self.state.player(clan).0 == seat) {
            Some(clan) if self.state.options.seats > 2 => clan_text(clan),
            _ => format!("seat {seat}"),
        }
    }

    const fn side(&self, role: Role) -> &String {
        match role {
            Role::Attacker => &self.attacker,
            Role::Defender => &self.defender,
        }
    }

    pub(super) fn tell(&mut self, event: &Event) -> Told {
        match event {
            Event::Claimed { .. }
            | Event::Reinforced { .. }
            | Event::ArmyPlaced { .. }
            | Event::Round { .. }
            | Event::WarTurn { .. }
            | Event::Income { .. }
            | Event::Over { .. } => self.frame(event),
            Event::Spied { .. }
            | Event::Plan { .. }
            | Event::Sword { .. }
            | Event::Built { .. }
            | Event::BuildRefused { .. }
            | Event::Bought { .. }
            | Event::Levied { .. }
            | Event::GivenUp { .. }
            | Event::Hired { .. }
            | Event::Cards { .. }
            | Event::Ninja { .. } => self.preparation(event),
            Event::Assassination { .. }
            | Event::Revenge { .. }
            | Event::Disrupted { .. }
            | Event::DaimyoLost { .. }
            | Event::Eliminated { .. }
            | Event::Recovered { .. }
            | Event::Successor { .. } => self.daimyo(event),
            Event::Step { .. }
            | Event::PickedUp { .. }
            | Event::Dropped { .. }
            | Event::Moved { .. }
            | Event::Revealed { .. }
            | Event::Dismissed { .. }
            | Event::Emptied { .. }
            | Event::Conquered { .. } => self.movement(event),
            Event::Declared { .. }
            | Event::Declarations { .. }
            | Event::Lapsed { .. }
            | Event::Battle { .. }
            | Event::Dice { .. }
            | Event::Casualties { .. }
            | Event::BattleOver { .. }
            | Event::BattleBroken { .. }
            | Event::Experience { .. } => self.battle(event),
        }
    }

    /// Setup, rounds and turns.
    fn frame(&self, event: &Event) -> Told {
        match event {
            Event::Claimed { clan, provinces } => Told::Detail(format!(
                "{} is dealt {}: {}",
                clan_text(*clan),
                count(provinces.len() as u64, "province", "provinces"),
                self.provinces(provinces)
            )),
            Event::Reinforced { clan, province } => Told::listed_detail(
                format!("{} places 2 spearmen in", clan_text(*clan)),
                self.province(province),
            ),
            Event::ArmyPlaced { clan, army, province } => Told::listed(
                format!("{} deploys", clan_text(*clan)),
                format!("army {army} in {}", self.province(province)),
            ),
            Event::Round { round } => Told::Heading(1, format!("round {round}")),
            Event::WarTurn { clan } => {
                Told::Heading(2, format!("war turn of {}", clan_name(self.state, *clan)))
            }
            Event::Income { clan, provinces, koku } => Told::listed(
                "Income:",
                format!(
                    "{} gets {koku} koku for {}",
                    clan_text(*clan),
                    count(*provinces, "province", "provinces")
                ),
            ),
            Event::Over { reason, winner } => {
                let who = winner.map(|seat| self.player(seat));
                Told::Line(match (*reason, who) {
                    ("provinces", Some(who)) => format!("{who} wins with its provinces"),
                    ("last_player", Some(who)) => format!("{who} wins as the last player left"),
                    ("nobody_left", _) => "nobody is left: the match is a draw".into(),
                    _ => "the match ends after its last round without a winner by rule".into(),
                })
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Actions 1 to 6.
    fn preparation(&self, event: &Event) -> Told {
        match event {
            Event::Spied { clan, on } => Told::Line(format!(
                "the ninja of {} looks at the plan of {}",
                clan_text(*clan),
                clan_text(*on)
            )),
            Event::Plan { clan, plan } => {
                Told::Line(format!("{} plans {}", clan_text(*clan), plan_text(*plan)))
            }
            Event::Sword { clan, sword, drawn } => {
                let how = if *drawn { "draws" } else { "takes" };
                Told::listed("Turn order:", format!("{} {how} sword {sword}", clan_text(*clan)))
            }
            Event::Built { clan, province, fort } => Told::Line(format!(
                "{} builds a {} in {}",
                clan_text(*clan),
                fort_text(*fort),
                self.province(province)
            )),
            Event::BuildRefused { clan, province } => Told::Line(format!(
                "{} cannot build in {}: no piece is left for it",
                clan_text(*clan),
                self.province(province)
            )),
            Event::Bought { clan, units } => {
                Told::Line(format!("{} buys {}", clan_text(*clan), units_text(*units)))
            }
            Event::Levied { clan, unit, province, into_army } => Told::listed_detail(
                format!("{} levies", clan_text(*clan)),
                format!(
                    "a {} {} {}",
                    unit_text(*unit),
                    if *into_army { "into the army in" } else { "in" },
                    self.province(province)
                ),
            ),
            Event::GivenUp { clan, units } => {
                Told::Line(format!("{} cannot place {}", clan_text(*clan), units_text(*units)))
            }
            Event::Hired { clan, ronin } => Told::Line(format!("{} hires {ronin} ronin", clan_text(*clan))),
            Event::Cards { clan, sizes } => Told::Detail(format!(
                "{} hides them under {} ({} ronin)",
                clan_text(*clan),
                count(sizes.len() as u64, "card", "cards"),
                list(&sizes.iter().map(u8::to_string).collect::<Vec<_>>())
            )),
            Event::Ninja { clan: Some(clan) } => Told::Line(format!("{} hires the ninja", clan_text(*clan))),
            Event::Ninja { clan: None } => Told::Line("nobody hires the ninja".into()),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Daimyo who fall and return, and clans with them.
    fn daimyo(&self, event: &Event) -> Told {
        let outcome = |success: &bool| if *success { "he falls" } else { "he lives" };
        Told::Line(match event {
            Event::Assassination { clan, on, army, die, success } => format!(
                "the ninja of {} strikes at the daimyo of army {army} of {} and rolls {die}: {}",
                clan_text(*clan),
                clan_text(*on),
                outcome(success)
            ),
            Event::Revenge { clan, on, die, success } => format!(
                "{} takes revenge on {} and rolls {die}: {}",
                clan_text(*clan),
                clan_text(*on),
                if *success { "a daimyo falls for it" } else { "in vain" }
            ),
            Event::Disrupted { clan, army } => {
                format!("army {army} of {} is disrupted", clan_text(*clan))
            }
            Event::DaimyoLost { clan, army } => {
                format!("{} loses the daimyo of army {army}", clan_text(*clan))
            }
            Event::Eliminated { clan, by: Some(by) } => {
                format!(
                    "{} is eliminated by {}, who takes over what it owns",
                    clan_text(*clan),
                    clan_text(*by)
                )
            }
            Event::Eliminated { clan, by: None } => format!("{} is eliminated", clan_text(*clan)),
            Event::Recovered { clan, army, province } => format!(
                "{} recovers the daimyo of army {army} in {}",
                clan_text(*clan),
                self.province(province)
            ),
            Event::Successor { clan, army } => {
                format!("a successor takes over army {army} of {}", clan_text(*clan))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        })
    }

    /// Phases A and D.
    fn movement(&self, event: &Event) -> Told {
        match event {
            Event::Step { clan, army, from, to } => Told::listed(
                format!("army {army} of {} marches", clan_text(*clan)),
                format!("from {} to {}", self.province(from), self.province(to)),
            ),
            Event::PickedUp { clan, army, province, unit } => Told::listed_detail(
                format!("army {army} of {} picks up in {}", clan_text(*clan), self.province(province)),
                format!("a {}", unit_text(*unit)),
            ),
            Event::Dropped { clan, army, province, unit } => Told::listed_detail(
                format!("army {army} of {} leaves in {}", clan_text(*clan), self.province(province)),
                format!("a {}", unit_text(*unit)),
            ),
            Event::Moved { clan, from, to, units } => Told::Line(format!(
                "{} moves {} from {} to {}",
                clan_text(*clan),
                units_text(*units),
                self.province(from),
                self.province(to)
            )),
            Event::Revealed { clan, province, ronin } => Told::Line(format!(
                "{} reveals {ronin} ronin in {}",
                clan_text(*clan),
                self.province(province)
            )),
            Event::Dismissed { clan, province, ronin } => Told::Line(format!(
                "{} dismisses {ronin} ronin in {}, more than may stay",
                clan_text(*clan),
                self.province(province)
            )),
            Event::Emptied { province } => Told::Detail(format!("{} is empty", self.province(province))),
            Event::Conquered { clan, province } => {
                Told::Line(format!("{} conquers {}", clan_text(*clan), self.province(province)))
            }
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// Phases B and C.
    fn battle(&mut self, event: &Event) -> Told {
        match event {
            Event::Declared { clan, army, from, target } => Told::listed(
                format!("{} declares", clan_text(*clan)),
                format!("{} against {}", self.force(*army, from), self.province(target)),
            ),
            Event::Declarations { clan, battles: 0 } => {
                Told::Detail(format!("{} declares no battle", clan_text(*clan)))
            }
            Event::Declarations { clan, battles } => Told::Detail(format!(
                "{} has declared {}",
                clan_text(*clan),
                count(*battles, "battle", "battles")
            )),
            Event::Lapsed { clan, target } => Told::Detail(format!(
                "{} finds nobody to fight in {}",
                clan_text(*clan),
                self.province(target)
            )),
            Event::Battle { clan, army, from, target, defender, naval } => {
                (self.attacker, self.defender) = (clan_text(*clan), clan_text(*defender));
                self.losses = Default::default();
                Told::Line(format!(
                    "battle of {}: {} ({}) attacks {}{}",
                    self.province(target),
                    self.attacker,
                    self.force(*army, from),
                    self.defender,
                    if *naval { " across the sea" } else { "" }
                ))
            }
            Event::Dice { role, round, step, dice, hits } => {
                let dice: Vec<String> = dice.iter().map(u8::to_string).collect();
                Told::Detail(format!(
                    "round {round}, {}: {} rolls {}, {}",
                    step_text(*step),
                    self.side(*role),
                    dice.join(" "),
                    count(*hits, "hit", "hits")
                ))
            }
            Event::Casualties { clan, bonus, provincial, army, role } => {
                let mut lost = ByUnit::default();
                let (bonus_sum, sum) = &mut self.losses[*role as usize];
                *bonus_sum += bonus;
                for unit in Unit::ALL {
                    lost[unit] = provincial[unit] + army[unit];
                    sum[unit] += lost[unit];
                }
                Told::Detail(format!("{} loses {}", clan_text(*clan), losses_text(*bonus, lost)))
            }
            Event::BattleOver { target, end } => {
                let target = self.province(target);
                let end = match end {
                    BattleEnd::Attacker => format!("{} wins the battle of {target}", self.attacker),
                    BattleEnd::Defender => format!("{} holds {target}", self.defender),
                    BattleEnd::Nobody => format!("nobody is left standing in {target}"),
                    BattleEnd::CalledOff => format!("{} calls the battle of {target} off", self.attacker),
                };
                Told::Line(format!("{end}; {}", self.losses_of_both()))
            }
            Event::BattleBroken { target } => {
                let target = self.province(target);
                Told::Line(format!("the battle of {target} is broken off; {}", self.losses_of_both()))
            }
            Event::Experience { clan, army, hole, level } => Told::Detail(format!(
                "army {army} of {} gains experience: hole {hole}, level {level}",
                clan_text(*clan)
            )),
            _ => unreachable!("{event:?} is told elsewhere"),
        }
    }

    /// What the battle cost both sides.
    fn losses_of_both(&self) -> String {
        let [attacker, defender] = self.losses.map(|(bonus, units)| losses_text(bonus, units));
        format!("{} loses {attacker}, {} {defender}", self.attacker, self.defender)
    }

    /// An attacking force: an army by its number, or the units of a province.
    fn force(&self, army: Option<u8>, from: &str) -> String {
        match army {
            Some(army) => format!("army {army} from {}", self.province(from)),
            None => format!("the force of {}", self.province(from)),
        }
    }
}
