//! A battle in words, for people.

use sengoku_battles::data::{LeaderKind, Side, TENT_BANNERS, Terrain, UnitKind};
use sengoku_battles::scenario::{
    Campaign, CampaignRole, First, FordTiles, Piece, Scenario, Special, TerrainRules, Victory, short,
};
use serde_json::{Map, Value, json};

use crate::Words;

impl Words<'_, Scenario> {
    /// Everything there is to see of the battle, remarks about its sources included.
    pub(super) fn describe(&self) -> Value {
        json!({
            "number": self.number,
            "key": self.key,
            "name": self.name,
            "phase": self.phase,
            "year": self.year,
            "digest": format!("{:016x}", self.digest()),
            "armies": by_side(|side| self.army(side)),
            "banners_to_win": by_side(|side| self.banners_to_win[side].into()),
            "first_player": match self.first {
                First::Army(side) => side.name(),
                First::DiceOff => "roll",
            },
            "first_player_confidence": self.remarks.first_player_confidence,
            "victory": self.all_victory_words(),
            "special_rules": self.all_special_words(),
            "terrain_rules": terrain_words(&self.terrain_rules),
            "records": {
                "victory": self.content().get("victory"),
                "special_rules": self.content().get("special_rules"),
                "terrain_rules": self.terrain_rules,
            },
            "campaign": self.campaign.map(|Campaign { role, linked }| json!({ "role": role, "linked": linked })),
            "terrain_rows": self.content().pointer("/deployment/terrain"),
            "terrain": self.terrain_by_kind(),
            "impassable": self.impassable,
            "objectives": self.objectives.iter().map(|(name, hex)| (name.clone(), json!(hex))).collect::<Map<_, _>>(),
            "groups": self.groups.iter().map(|(name, hexes)| (name.clone(), json!(hexes))).collect::<Map<_, _>>(),
            "banks": by_side(|side| json!(self.banks[side])),
            "tents": by_side(|side| json!(self.tents[side])),
            "basis": self.remarks.basis,
            "narrative": self.remarks.narrative,
            "deployment_source": self.remarks.deployment_source,
            "text_value": self.remarks.text_value,
            "notes": self.remarks.notes,
        })
    }

    /// Rules that the battle changes, a sentence each: victory, terrain, special rules, campaign.
    pub(super) fn rules(&self) -> Vec<String> {
        let campaign = self.campaign.map(|Campaign { role, linked }| match role {
            CampaignRole::First => format!("first battle of a campaign, followed by {linked}"),
            CampaignRole::Second => format!("second battle of a campaign, after {linked}"),
        });
        [self.all_victory_words(), terrain_words(&self.terrain_rules), self.all_special_words()]
            .into_iter()
            .flatten()
            .chain(campaign)
            .collect()
    }

    /// The piece as a deployment writes it, e.g. `SSp+LF(Yuhara)@4,5`.
    fn piece_text(&self, piece: &Piece) -> String {
        let name =
            piece.name.map_or(String::new(), |name| format!("({})", self.leader_names[usize::from(name)]));
        format!("{}{name}@{}", short(piece), piece.hex)
    }

    fn army(&self, side: Side) -> Value {
        let army = &self.armies[side];
        let pieces: Vec<&Piece> = self.pieces.iter().filter(|piece| piece.side == side).collect();
        let count_unit = |kind| pieces.iter().filter(|piece| piece.unit == Some(kind)).count();
        let count_leader = |kind| pieces.iter().filter(|piece| piece.leader == Some(kind)).count();
        let units = UnitKind::ALL.into_iter().map(|kind| (kind.code(), count_unit(kind)));
        let leaders = LeaderKind::ALL.into_iter().map(|kind| (kind.code(), count_leader(kind)));
        let forces: Map<_, _> = units
            .chain(leaders)
            .filter(|&(_, count)| count > 0)
            .map(|(code, count)| (code.to_owned(), json!(count)))
            .collect();
        let bodyguard = count_unit(UnitKind::Bodyguard);
        json!({
            "name": army.name,
            "color": army.color,
            "command_cards": army.command_cards,
            "dragon_cards": army.dragon_cards,
            "honor": army.honor,
            "units": pieces.iter().filter(|piece| piece.unit.is_some()).count() - bodyguard,
            "leaders": pieces.iter().filter(|piece| piece.leader.is_some()).count(),
            "forces": forces,
            "pieces": pieces.iter().map(|piece| self.piece_text(piece)).collect::<Vec<_>>(),
            "leader_names": pieces
                .iter()
                .filter_map(|piece| piece.name)
                .map(|name| &self.leader_names[usize::from(name)])
                .collect::<Vec<_>>(),
            "tent": self.tents[side],
        })
    }

    /// The hexes of every kind of terrain on the map, open ground left out.
    fn terrain_by_kind(&self) -> Value {
        let kinds = Terrain::ALL.into_iter().filter(|&kind| kind != Terrain::Open);
        let present = kinds.filter(|&kind| !self.hexes_of(kind).is_empty());
        Value::Object(present.map(|kind| (kind.name().to_owned(), json!(self.hexes_of(kind)))).collect())
    }

    /// The victory records in words, and the general rule for tents that no record speaks of (BT-SCEN-08).
    fn all_victory_words(&self) -> Vec<String> {
        let said = |owner: Side| {
            self.victory.iter().any(|rule| match *rule {
                Victory::CaptureTent { side } => side.is_none_or(|side| side == owner.other()),
                Victory::EnterTent { side } => side == owner.other(),
                _ => false,
            })
        };
        let unsaid = Side::ALL.into_iter().filter(|&owner| self.tents[owner].is_some() && !said(owner));
        let tents = unsaid.map(|owner| Victory::CaptureTent { side: Some(owner.other()) });
        self.victory.iter().copied().chain(tents).map(|rule| self.victory_words(&rule)).collect()
    }

    /// A victory record in words.
    fn victory_words(&self, rule: &Victory) -> String {
        let name = |side: Side| self.armies[side].name.as_str();
        match *rule {
            Victory::LeaderValue { banners } => {
                format!("every leader eliminated is worth {}", count(banners))
            }
            Victory::NamedLeaderValue { leader_side, name: leader, banners } => {
                let leader = &self.leader_names[usize::from(leader)];
                format!("the leader {leader} of {} is worth {}", name(leader_side), count(banners))
            }
            Victory::CaptureTent { side } => {
                let tents = Side::ALL.into_iter().filter(|&owner| {
                    self.tents[owner].is_some() && side.is_none_or(|side| side == owner.other())
                });
                let owners: Vec<&str> = tents.map(name).collect();
                format!(
                    "a unit in the enemy command tent ({}) at the start of its own turn: the tent is removed, {}, and its \
                     owner loses a command card at random",
                    owners.join(", "),
                    count(TENT_BANNERS)
                )
            }
            Victory::EnterTent { side } => {
                format!(
                    "{} wins at once when one of its units enters the tent of {}",
                    name(side),
                    name(side.other())
                )
            }
            Victory::UnitsAcross { side, bank, banners_per_unit } => format!(
                "{}: {} for each of its units on the bank of {} at the start of its turn, as long as the unit stays there",
                name(side),
                count(banners_per_unit),
                name(bank)
            ),
            Victory::Exit { side, kinds, bank, banners } => {
                let kinds: Vec<&str> = UnitKind::ALL
                    .into_iter()
                    .filter(|kind| kinds >> kind.index() & 1 != 0)
                    .map(UnitKind::code)
                    .collect();
                format!(
                    "{}: a unit {} that reaches the bank of {} is taken off the board and gives {}; a leader stays",
                    name(side),
                    kinds.join(" or "),
                    name(bank),
                    count(banners)
                )
            }
            Victory::Occupy { side, hex, banners, cards_lost } => {
                let named = self.objectives.iter().find(|(_, at)| *at == hex);
                let objective = named.map_or("hex".into(), |(name, _)| name.replace('_', " "));
                let loss = match cards_lost {
                    0 => String::new(),
                    1 => format!(", and {} loses a command card at random", name(side.other())),
                    more => format!(", and {} loses {more} command cards at random", name(side.other())),
                };
                format!(
                    "{}: {} once when one of its units is in the {objective} ({hex}){loss}",
                    name(side),
                    count(banners)
                )
            }
            Victory::EmptySection { side, banners } => format!(
                "{}: {} at the start of its turn if a section of the board has no enemy unit; shared hexes count as centre",
                name(side),
                count(banners)
            ),
            Victory::OrderOne { side, banners } => format!(
                "{}: {} at the end of a turn with an Order One card, but never the last one it needs",
                name(side),
                count(banners)
            ),
            Victory::NoEnemyOnBank { side, bank, banners, from_turn } => format!(
                "{}: {} at the start of its turn, from its turn {from_turn} on, if no enemy unit is on the bank of {}",
                name(side),
                count(banners),
                name(bank)
            ),
            Victory::UnitsOnBank { side, bank, at_least, banners } => format!(
                "{}: {} at the start of its turn if at least {at_least} of its units are on the bank of {}",
                name(side),
                count(banners),
                name(bank)
            ),
            Victory::GorgeRim { side, bank, banners_per_unit } => format!(
                "{}: {} for each of its units next to the gorge on the side of {} at the start of its turn, as long as the \
                 unit stays in that hex",
                name(side),
                count(banners_per_unit),
                name(bank)
            ),
            Victory::HillMajority { banners } => {
                format!(
                    "{} for the army with units on more hill hexes, as long as it has more",
                    count(banners)
                )
            }
        }
    }

    fn all_special_words(&self) -> Vec<String> {
        self.special.iter().map(|rule| self.special_words(rule)).collect()
    }

    /// A special rule in words.
    fn special_words(&self, rule: &Special) -> String {
        let name = |side: Side| self.armies[side].name.as_str();
        match *rule {
            Special::FirstPlayerRoll => {
                "both roll 5 dice, more honor faces moves first, ties are rolled again".into()
            }
            Special::GrowingHand { side, draws, turns } => {
                format!(
                    "{} draws {draws} command cards at the end of each of its first {turns} turns",
                    name(side)
                )
            }
            Special::ConditionalDraw { side, bank, at_least } => format!(
                "{} draws no command card at the end of its turn unless at least {at_least} of its units are on the bank of {}",
                name(side),
                name(bank)
            ),
            Special::Held { side, hexes, card } => {
                let group = self.groups.iter().find(|(_, of)| *of == hexes).map_or("some", |(name, _)| name);
                format!(
                    "{group} units of {} wait until {} gives them their first order",
                    name(side),
                    card.name()
                )
            }
        }
    }
}

fn by_side(value: impl Fn(Side) -> Value) -> Value {
    Value::Object(Side::ALL.into_iter().map(|side| (side.name().to_owned(), value(side))).collect())
}

fn count(banners: u8) -> String {
    if banners == 1 { "1 banner".into() } else { format!("{banners} banners") }
}

/// Terrain rules of the scenario as text.
fn terrain_words(rules: &TerrainRules) -> Vec<String> {
    let river =
        rules.river_name.as_ref().map_or("the river".to_owned(), |name| format!("the river ({name})"));
    let mut words = Vec::new();
    if rules.is_fordable() {
        words.push(format!("{river} can be forded everywhere; ford tiles are shallow"));
    } else if rules.river_impassable == Some(true) {
        words.push(match rules.ford_tiles {
            Some(FordTiles::None) => format!("{river} cannot be crossed"),
            Some(FordTiles::Shallow) => format!("{river} can only be crossed at fords, which are shallow"),
            Some(FordTiles::Ford) | None => format!("{river} can only be crossed at fords"),
        });
    }
    for (is_so, text) in [
        (rules.hills_impassable, "hills cannot be entered"),
        (rules.buildings_impassable, "buildings cannot be entered"),
        (rules.fences_are_palisades, "fences are palisades"),
        (rules.castle_treated_as.is_some(), "the castle counts as buildings"),
    ] {
        if is_so {
            words.push(text.into());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use sengoku_battles::scenario::all;

    use super::*;

    fn battle(number: u16) -> &'static Scenario {
        Scenario::by_number(number).unwrap()
    }

    #[test]
    fn described_for_people() {
        for scenario in all() {
            let seen = Words(scenario).describe();
            assert_eq!(seen["number"], scenario.number);
            assert_eq!(seen["terrain_rows"].as_array().unwrap().len(), 11);
            let unsaid = usize::from(scenario.number == 17); // its tent has no record, the general rule holds (BT-SCEN-08)
            assert_eq!(seen["victory"].as_array().unwrap().len(), scenario.victory.len() + unsaid);
            assert_eq!(seen["basis"], scenario.remarks.basis);
            let texts =
                Side::ALL.iter().flat_map(|side| seen["armies"][side.name()]["pieces"].as_array().unwrap());
            let texts: Vec<&str> = texts.map(|text| text.as_str().unwrap()).collect();
            let written: Vec<&str> = ["top", "bottom"]
                .into_iter()
                .flat_map(|side| scenario.content()["deployment"][side].as_array().unwrap())
                .map(|text| text.as_str().unwrap())
                .collect();
            assert_eq!(texts, written, "{scenario:?}");
        }
        let seen = Words(battle(8)).describe();
        let forces = json!({ "SSp": 2, "SB": 1, "ASp": 4, "AB": 2, "AA": 1, "SSpC": 1, "SBC": 1, "BG": 1, "LF": 1, "LM": 1, "AC": 1 });
        assert_eq!(seen["armies"]["top"]["forces"], forces);
        assert_eq!(seen["armies"]["top"]["units"], 12);
        assert_eq!(seen["tents"], json!({ "top": "1,6", "bottom": "9,4" }));
        assert_eq!(
            (&seen["first_player"], &seen["first_player_confidence"]),
            (&json!("bottom"), &json!("high"))
        );
        assert_eq!(seen["terrain"]["hill"], json!(["3,8", "4,5", "4,6", "4,9", "5,6"]));
        assert_eq!(
            Words(battle(37)).describe()["special_rules"][0],
            "Mori units of Western army wait until Order One Unit Left gives them their first order"
        );
        assert_eq!(
            Words(battle(18)).rules(),
            [
                "Hojo: 1 banner at the start of its turn if a section of the board has no enemy unit; shared hexes count as centre",
                "the river (Ichikawa) can be forded everywhere; ford tiles are shallow",
                "first battle of a campaign, followed by 19",
            ]
        );
        assert_eq!(
            Words(battle(6)).describe()["terrain_rules"],
            json!(["the river (Tajii) cannot be crossed"])
        );
    }
}
