//! Sheets of battles.

use sengoku_battles::data::{CostSource, DragonCard, Side, UnitKind};
use sengoku_battles::scenario::{Confidence, First, FordTiles, Piece, Scenario, Special, Victory, all};
use sengoku_kernel::Source;
use serde_json::{Value, json};

use crate::{Sheet, Words};

/// The sheet of a battle.
pub(super) fn sheet(scenario: &Source<Scenario>) -> Sheet {
    let (battle, custom) = (Words(&**scenario), scenario.is_custom());
    Sheet {
        id: if custom { String::new() } else { battle.number.to_string() },
        name: battle.full_name(),
        setup: if custom { Value::Null } else { json!({ "scenario": battle.number }) },
        source: battle.source(),
        seats: Side::ALL.map(|side| battle.armies[side].name.clone()).into(),
        facts: battle.facts(),
        chapters: battle.chapters(),
        details: battle.describe(),
    }
}

impl Words<'_, Scenario> {
    /// Name and part.
    pub(super) fn full_name(&self) -> String {
        self.phase.as_ref().map_or_else(|| self.name.clone(), |phase| format!("{}, {phase}", self.name))
    }

    /// The army that moves first, and whether that is certain (BT-R-82).
    pub(super) fn first_words(&self) -> String {
        let doubt = if self.first_is_certain() { "" } else { " (uncertain)" };
        match self.first {
            First::Army(side) => format!("{} moves first{doubt}", self.armies[side].name),
            First::DiceOff => format!("dice decide who moves first{doubt}"),
        }
    }

    fn first_is_certain(&self) -> bool {
        self.remarks.first_player_confidence == Confidence::High
    }

    /// Parts of the battle that differ from the printed ones.
    fn source(&self) -> String {
        let deployment = format!("deployment {}", self.remarks.deployment_source);
        let first = (!self.first_is_certain()).then(|| "first player uncertain".to_owned());
        [Some(deployment), first].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// Facts for a list; where the armies differ there is a line for each, the top one first.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let count = |side: Side, is_counted: &dyn Fn(&Piece) -> bool| {
            self.pieces.iter().filter(|piece| piece.side == side && is_counted(piece)).count()
        };
        let forces = |side| {
            let units = count(side, &|piece| piece.unit.is_some_and(|kind| !kind.is_bodyguard()));
            format!("{units} + {}", count(side, &|piece| piece.leader.is_some()))
        };
        let cards = |side| {
            let army = &self.armies[side];
            format!("{} / {} / {}", army.command_cards, army.dragon_cards, army.honor)
        };
        let first = |side| match self.first {
            First::Army(first) if first != side => "",
            First::Army(_) if !self.first_is_certain() => " *?",
            First::Army(_) | First::DiceOff => " *",
        };
        let [top, bottom] = self.banners_to_win.0;
        vec![
            ("year", self.year.map_or_else(|| "–".into(), |year| year.to_string())),
            ("armies", both(|side| format!("{}{}", self.armies[side].name, first(side)))),
            ("units + leaders", both(forces)),
            ("command / dragon / honor", both(cards)),
            (
                "banners",
                if top == bottom {
                    top.to_string()
                } else {
                    both(|side| self.banners_to_win[side].to_string())
                },
            ),
            ("special rules", self.tags().join(", ")),
            ("deployment", self.remarks.deployment_source.clone()),
        ]
    }

    fn chapters(&self) -> Vec<(&'static str, Vec<String>)> {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let remarks = &self.remarks;
        let printed = remarks.text_value.as_ref().map(|text| format!("printed: {text}"));
        let source = [some(&remarks.basis), printed, remarks.notes.clone()];
        let chapters = [
            ("Story", some(&remarks.narrative).into_iter().collect()),
            ("Armies", Side::ALL.map(|side| self.army_words(side)).to_vec()),
            ("Victory", vec![self.victory_in_short()]),
            ("Rules of this battle", self.rules()),
            ("Basis", source.into_iter().flatten().collect()),
        ];
        chapters.into_iter().filter(|(_, paragraphs): &(_, Vec<String>)| !paragraphs.is_empty()).collect()
    }

    fn victory_in_short(&self) -> String {
        let [top, bottom] = self.banners_to_win.0;
        let needed = if top == bottom {
            format!("{top} banners win")
        } else {
            format!("{top} and {bottom} banners win")
        };
        format!("{needed}; {}", self.first_words())
    }

    /// An army in one line.
    fn army_words(&self, side: Side) -> String {
        let army = &self.armies[side];
        let own = || self.pieces.iter().filter(move |piece| piece.side == side);
        let units = UnitKind::ALL.into_iter().filter_map(|kind| {
            let count = own().filter(|piece| piece.unit == Some(kind)).count();
            (count > 0).then(|| format!("{count} {} ({})", kind.code(), kind.name()))
        });
        let leaders = own().filter_map(|piece| {
            let kind = piece.leader?;
            let name = piece.name.map(|name| self.leader_names[usize::from(name)].as_str());
            Some(name.map_or_else(|| kind.code().to_owned(), |name| format!("{name} ({})", kind.code())))
        });
        let leaders: Vec<String> = leaders.collect();
        let led =
            if leaders.is_empty() { "no leaders".into() } else { format!("leaders {}", leaders.join(", ")) };
        format!(
            "{}, {} (seat {}): {} command cards, {} dragon cards, {} honor; {}; {led}",
            army.name,
            side.name(),
            side.seat().0,
            army.command_cards,
            army.dragon_cards,
            army.honor,
            units.collect::<Vec<_>>().join(", "),
        )
    }

    /// The rules of the battle in a word or two each, for a list.
    fn tags(&self) -> Vec<String> {
        let mut tags: Vec<String> = self.victory.iter().map(|rule| self.victory_tag(rule)).collect();
        tags.extend(self.special.iter().map(|rule| self.special_tag(rule)));
        let rules = &self.terrain_rules;
        if rules.is_fordable() {
            tags.push("river fordable".into());
        } else if rules.river_impassable == Some(true) {
            let fords = rules.ford_tiles != Some(FordTiles::None);
            tags.push(if fords { "river with fords" } else { "river impassable" }.into());
        }
        for (is_so, tag) in [
            (rules.hills_impassable, "hills impassable"),
            (rules.buildings_impassable, "buildings impassable"),
            (rules.fences_are_palisades, "palisades"),
            (rules.castle_treated_as.is_some(), "castle as buildings"),
        ] {
            if is_so {
                tags.push(tag.into());
            }
        }
        tags.extend(self.campaign.map(|campaign| format!("campaign with {}", campaign.linked)));
        tags.dedup();
        tags
    }

    fn victory_tag(&self, rule: &Victory) -> String {
        match *rule {
            Victory::LeaderValue { banners } => format!("leaders worth {banners}"),
            Victory::NamedLeaderValue { name, banners, .. } => {
                format!("{} worth {banners}", self.leader_names[usize::from(name)])
            }
            Victory::CaptureTent { .. } => "tents".into(),
            Victory::EnterTent { .. } => "tent wins".into(),
            Victory::UnitsAcross { .. } => "units across the river".into(),
            Victory::Exit { .. } => "exit".into(),
            Victory::Occupy { hex, .. } => {
                let named = self.objectives.iter().find(|(_, at)| *at == hex);
                named.map_or_else(|| format!("hex {hex}"), |(name, _)| name.replace('_', " "))
            }
            Victory::EmptySection { .. } => "empty section".into(),
            Victory::OrderOne { .. } => "Order One".into(),
            Victory::NoEnemyOnBank { .. } | Victory::UnitsOnBank { .. } => "river bank".into(),
            Victory::GorgeRim { .. } => "gorge".into(),
            Victory::HillMajority { .. } => "most hills".into(),
        }
    }

    fn special_tag(&self, rule: &Special) -> String {
        match *rule {
            Special::FirstPlayerRoll => "dice for the first turn".into(),
            Special::GrowingHand { .. } => "growing hand".into(),
            Special::ConditionalDraw { .. } => "draws by river bank".into(),
            Special::Held { hexes, .. } => {
                let group = self.groups.iter().find(|(_, of)| *of == hexes);
                format!("{} held", group.map_or("some", |(name, _)| name))
            }
        }
    }
}

/// A line for each army.
fn both(text: impl Fn(Side) -> String) -> String {
    Side::ALL.map(text).join("\n")
}

/// Remarks about the data of all battles.
pub(super) fn remarks() -> Vec<String> {
    let doubtful = all().iter().filter(|battle| !Words(*battle).first_is_certain()).count();
    let reconstructed =
        all().iter().filter(|battle| battle.remarks.deployment_source == "reconstructed").count();
    let proposed = DragonCard::ALL.into_iter().filter(|card| card.row().cost_source == CostSource::Proposed);
    vec![
        format!(
            "The deployments of {reconstructed} of {} battles are reconstructed: forces and terrain are published for some of them, \
             places on the map for none; the basis of each says what is known.",
            all().len()
        ),
        format!(
            "* moves first, by dice if both have it; in {doubtful} battles, those with *?, that is uncertain (BT-R-82)."
        ),
        format!(
            "The costs of {} of {} dragon cards are proposed (BT-DRAGON-01).",
            proposed.count(),
            DragonCard::COUNT
        ),
    ]
}
