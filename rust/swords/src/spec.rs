//! Meaning of the bytes of an observation (`observe.rs`) and of the entries of the action table (`action.rs`).

use sengoku_kernel::spec::{ActionKind, Axis, Field, Layout, Spec};

use crate::action::{BUNDLES, MAX_HIDDEN};
use crate::data::{
    ARMY_TOTAL, BASES, CASTLE_BONUS, CASTLES, DAIMYO, EXP_HOLES, FORTRESS_BONUS, Fort, MAX_CLANS, PROV_MAX,
    PROVINCES, RONIN, SPEARMEN, Unit, income,
};
use crate::map::Map;
use crate::observe::{HEADER, PER_CLAN};
use crate::state::{PlanBox, State};

/// Points of play by their code.
pub(crate) const POINTS: [&str; 34] = [
    "divide",
    "reinforce",
    "place_armies",
    "spy",
    "plan",
    "swords",
    "build",
    "buy",
    "levy",
    "ronin",
    "war_turn",
    "choose_army",
    "move",
    "detach",
    "garrison",
    "leave_ronin",
    "divide_rest",
    "declare",
    "declare_target",
    "choose_battle",
    "attack",
    "reveal_attacker",
    "reveal_defender",
    "first_die",
    "roll",
    "casualties",
    "call_off",
    "conquest",
    "next_target",
    "choose_force",
    "choose_units",
    "into_army",
    "end_round",
    "over",
];
const MAX_KOKU: u32 = income(PROVINCES as u8) as u32;
const LEVIED: [Unit; 4] = [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Spear];
const PROVINCIAL: [Unit; 5] = [Unit::Bow, Unit::Gun, Unit::Sword, Unit::Ronin, Unit::Spear];
/// At `move`: stop, six units to pick up, a province to detach into, and steps.
const MAX_LEGAL: u32 = 1 + 6 + PROVINCES as u32 + PROVINCES as u32 * (MAX_HIDDEN as u32 + 1);

/// A clan, or nobody.
fn clan(name: &str, meaning: &'static str) -> Field {
    Field::byte(name, 0, MAX_CLANS as u32 - 1, meaning).category()
}

/// An army by its place on the army card, from 0.
fn army(name: &str, meaning: &'static str) -> Field {
    Field::byte(name, 0, DAIMYO as u32 - 1, meaning).category()
}

fn provinces() -> Vec<String> {
    Map::standard().provinces().iter().map(|province| province.key.clone()).collect()
}

/// A province by its number, or nowhere.
fn province(name: &str, meaning: &'static str) -> Field {
    Field::one_of(name, provinces(), meaning)
}

fn units(kinds: &[Unit]) -> Axis {
    Axis::named("unit", kinds.iter().map(|unit| unit.name()))
}

fn header(layout: &mut Layout) {
    let sides = || Axis::named("side", ["attacker", "defender"]);
    layout.put_all([
        Field::byte("seats", 2, 5, "Players at the table; two of them run two clans each."),
        Field::byte("seat", 0, 4, "The seat that looks.").category(),
        Field::set("options", "option", ["long_game", "two_player_early_attacks"], "What was agreed before."),
        Field::padding(6),
        Field::word("round", 0, 65_535, "Number of the round, 0 during setup.").in_units_of(10),
        Field::one_of("point", POINTS, "What play has come to."),
        clan("decider", "The clan that is asked, nobody once the match is over.").or_none(),
        Field::byte("window", 0, 13, "The ninja window that is open, 0 for none.").category(),
        Field::flag("revenge", "Whether a revenge is to be taken first."),
        clan("recovery.clan", "The clan that recovers daimyo.").or_none(),
        army("recovery.army", "The army of it that was just placed and may pick up units.").or_none(),
        clan("active", "The clan whose war turn it is."),
        Field::one_of("phase", ["none", "a", "b", "c", "d"], "Phase of the war turn."),
        Field::byte("turn", 0, 5, "The sword whose war turn it is or was last, 0 before the first.").category(),
        army("must_move", "The army that must be moved next.").or_none(),
        clan("ninja.holder", "The clan that holds the ninja.").or_none(),
        Field::flag("ninja.fresh", "Whether the ninja was hired in this round."),
        clan("ninja.spied", "The clan whose plan the holder has seen.").or_none(),
        Field::byte("pool.castles", 0, CASTLES.into(), "Castles not built yet."),
        Field::byte("pool.bases", 0, BASES.into(), "Bases not built yet."),
        Field::byte("pool.ronin", 0, RONIN.into(), "Ronin that nobody has hired."),
        Field::byte(
            "detail",
            0,
            PROVINCES as u32 + 2,
            "More about the point, filled up with 0. divide: answers left. reinforce, place_armies: given by all. plan: box. buy: koku \
             spent. levy, ronin: units seen to. move: army, steps, units picked up. detach: army, steps, to, units. \
             garrison: steps, units. leave_ronin, divide_rest: steps. declare_target: army, or 3 + province of the \
             force. attack, reveal_attacker, reveal_defender, first_die: target. casualties: side. choose_units: from, bow, \
             gun, sword, ronin, spear. into_army: unit.",
        )
        .along(Axis::new("place", 8)).in_units_of(10),
        Field::byte("attack.force", 0, 3, "The attacking army, 3 for a provincial force.").category().or_none(),
        province("attack.from", "Where the attack comes from.").or_none(),
        province("attack.target", "The province that is fought for.").or_none(),
        Field::byte("attack.left", 0, 4, "Attacks that the force may still make."),
        province("attack.open", "The emptied province that a conquest move may enter.").or_none(),
        clan("battle.defender", "The clan that defends, 0 while there is no battle."),
        Field::byte("battle.round", 0, 255, "Combat round, 255 for all beyond.").in_units_of(5),
        Field::one_of(
            "battle.stage",
            ["none", "first_strike", "missile", "melee", "call_off"],
            "Part of the combat round; none while there is no battle.",
        ),
        Field::byte("battle.hits", 0, 255, "Hits of the part under way.").along(sides()).in_units_of(5),
        Field::byte("battle.owed", 0, 255, "Units that each side must still give up.").along(sides()).in_units_of(5),
        province("targets", "Declared targets of the armies of the active clan.")
            .or_none()
            .along(Axis::new("army", DAIMYO)),
        Field::byte("march.army", 0, 3, "The army on the move, 3 for provincial units; 0 while nothing moves.").category(),
        province("march.to", "Where it goes; 0 while nothing moves."),
        Field::byte("march.units", 0, (ARMY_TOTAL + PROV_MAX).into(), "Regular provincial units on the way."),
        Field::byte("march.ronin", 0, RONIN.into(), "Revealed ronin on the way."),
    ]);
}

fn clan_record(layout: &mut Layout) {
    let boxes = ["swords", "build", "levy", "ronin", "ninja"];
    debug_assert_eq!(boxes.len(), PlanBox::ALL.len());
    layout.put_all([
        Field::byte("player", 0, 4, "The seat that runs the clan.").category(),
        Field::byte("out", 0, 5, "0 in play; otherwise the how-manieth to go out.").category(),
        Field::byte("colours", 0, 5, "Colours whose pieces it has; 0 for a clan that is not there."),
        Field::byte("koku", 0, MAX_KOKU, "Koku in hand."),
        Field::byte("plan", 0, MAX_KOKU, "Koku by box; 0 while the seat may not see them.")
            .along(Axis::named("box", boxes)),
        Field::flag("committed", "Whether the plan is complete."),
        Field::byte("sword", 0, 5, "Its sword, 0 for none.").category(),
        Field::byte("hired", 0, RONIN.into(), "Ronin hired and not placed yet."),
        Field::byte("wish", 0, 5, "The sword it wishes for, 0 for none yet; only its own player sees it.")
            .category(),
        province("site", "Where it wants to build; only its own player sees it.").or_none(),
        Field::flag("answered", "Whether it has given all its answers in the step under way."),
        Field::byte("provinces", 0, PROVINCES as u32, "Provinces it owns, as far as the seat may see."),
        Field::byte("tray", 0, 5 * u32::from(SPEARMEN), "Unused units.").along(units(&LEVIED)),
        Field::byte(
            "bought",
            0,
            3 * MAX_KOKU,
            "Units bought and not placed yet; of other players only when all have bought.",
        )
        .along(units(&LEVIED)),
        Field::byte(
            "losses.bonus",
            0,
            u32::from(FORTRESS_BONUS.max(CASTLE_BONUS)),
            "Bonus units given up in this casualty step.",
        ),
        Field::byte(
            "losses.force",
            0,
            RONIN.into(),
            "Units of the provincial force given up so far; only its own player sees them.",
        )
        .along(units(&Unit::ALL)),
        Field::byte(
            "losses.army",
            0,
            RONIN.into(),
            "Units of the army given up so far; only its own player sees them.",
        )
        .along(units(&Unit::ALL)),
    ]);
    layout.fill(48);
    layout.put_records("armies", &Axis::new("army", DAIMYO).from(1), |army| {
        army.put_all([
            province("province", "Where the army stands.").or_none(),
            Field::byte("hole", 0, EXP_HOLES.len() as u32 - 1, "Hole of the experience marker."),
            Field::byte("units", 0, RONIN.into(), "Its units.").along(units(&Unit::ALL)).in_units_of(5),
            Field::flag("disrupted", "Whether its daimyo was assassinated in this round."),
            Field::flag("moved", "Whether it has moved in this phase."),
            Field::byte("level", 0, 4, "Level of its daimyo."),
            Field::padding(8),
        ]);
    });
    layout.put(
        Field::byte(
            "cards",
            0,
            RONIN.into(),
            "Sizes of the stacks under its face-down ronin cards, the largest first; of other players not while they are laid.",
        )
        .along(Axis::new("card", RONIN.into())).in_units_of(5),
    );
}

fn province_record(layout: &mut Layout) {
    let forts = [Fort::None, Fort::Castle, Fort::Fortress];
    layout.put_all([
        clan("owner", "The clan that holds it, as far as the seat may see.").or_none(),
        Field::one_of("fort", forts.map(Fort::name), "Its building."),
        Field::byte("units", 0, RONIN.into(), "The provincial force with its revealed ronin.")
            .along(units(&PROVINCIAL))
            .in_units_of(5),
        Field::byte("hidden", 0, MAX_HIDDEN.into(), "Ronin under a face-down card of one's own."),
        Field::byte("bonus_lost", 0, FORTRESS_BONUS.into(), "Bonus units lost in this war turn."),
        Field::byte("moved", 0, PROV_MAX.into(), "Units that moved in this phase.").along(units(&LEVIED)),
        Field::new(4, "levy.unit", 0, 0, "A levied unit of one's own on its way here.")
            .named(Unit::ALL.map(Unit::name))
            .or_none(),
        Field::new(4, "levy.into_army", 0, 1, "Whether it joins the army there.").or_none(),
        province("target", "The declared target of its provincial force.").or_none(),
        Field::padding(8),
    ]);
}

fn actions() -> Vec<ActionKind> {
    let places = |name| Axis::named(name, provinces());
    let bundles = BUNDLES.map(|bundle| match bundle {
        [] => "nothing".into(),
        units => {
            let units: Vec<String> =
                units.iter().map(|(unit, count)| format!("{count} {}", unit.name())).collect();
            units.join(" and ")
        }
    });
    let armies = || Axis::new("army", DAIMYO).from(1);
    let clans = || Axis::new("clan", MAX_CLANS);
    vec![
        ActionKind::new(
            "pass",
            "Declines: no spying, no building, no assassination, a unit given up, ronin kept hidden, no move.",
        ),
        ActionKind::new("done", "Ends a list: no further army, declaration, unit or force."),
        ActionKind::new("stop", "The army stays where it is, or makes no further attack."),
        ActionKind::new("continue", "The battle goes on."),
        ActionKind::new("call_off", "The attacker calls the battle off."),
        ActionKind::new("amount", "Koku for a box, ronin left or divided, units into an army.")
            .of(Axis::new("amount", usize::from(RONIN) + 1)),
        ActionKind::new("clan", "A clan to spy on.").of(clans()),
        ActionKind::new("sword", "A sword.").of(Axis::new("sword", MAX_CLANS).from(1)),
        ActionKind::new("bundle", "What one koku buys.").of(Axis::named("units", bundles)),
        ActionKind::new("army", "One of the own armies.").of(armies()),
        ActionKind::new("daimyo", "A daimyo to assassinate.").of(clans()).of(armies()),
        ActionKind::new("from_army", "One unit of an army: left as garrison, detached, or lost.")
            .of(units(&Unit::ALL)),
        ActionKind::new("from_province", "One unit of a provincial force: picked up, moved, or lost.")
            .of(units(&Unit::ALL)),
        ActionKind::new(
            "province",
            "A province: to place something in, to move out of, to attack, or to detach units into.",
        )
        .of(places("province")),
        ActionKind::new("into_army", "A levied unit goes into the army of this province.")
            .of(places("province")),
        ActionKind::new(
            "step",
            "A step to a province, with this many ronin of the hidden stack that is left.",
        )
        .of(places("to"))
        .of(Axis::new("hidden", usize::from(MAX_HIDDEN) + 1)),
    ]
}

/// The specification of the game; the names of the provinces are those of the map that is compiled in.
pub(crate) fn spec() -> Spec {
    let mut layout = Layout::default();
    header(&mut layout);
    layout.fill(HEADER);
    layout.put_records("clans", &Axis::new("clan", MAX_CLANS), |clan| {
        clan_record(clan);
        clan.fill(PER_CLAN);
    });
    layout.put_records("provinces", &Axis::named("province", provinces()), province_record);
    Spec::new::<State>(layout, actions(), MAX_LEGAL)
}
