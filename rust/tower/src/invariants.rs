//! Invariants of a state, checked for all external input and, in debug builds, after every decision.

mod points;
mod season;

use sengoku_kernel::SetupError;
use sengoku_kernel::cube_tower::count;

use crate::data::{
    Building, COLOURS, EVENTS, FARMER, IN_THE_BOX, MAX_PLAYERS, Mode, OFFICERS, ProvinceId, Round, SeatId,
    Side, UNREST_MARKERS,
};
use crate::state::{End, Player, Point, Province, State, Tally};

/// Most chests, rice or points that a counter is let grow to.
pub(crate) const MAX_COUNT: u16 = 60_000;
/// Most unrest markers in a province: three of a position and three of the year (TW-ST-20).
pub(crate) const MAX_UNREST: u8 = 6;
/// Most points by favours in a year.
const MAX_FAVOUR_POINTS: u8 = 250;

/// An error at a field, unless something holds.
fn ensure(holds: bool, field: &str, reason: impl FnOnce() -> String) -> Result<(), SetupError> {
    if holds { Ok(()) } else { Err(SetupError::new(field, reason())) }
}

/// Whether all items differ.
fn distinct<T: PartialEq>(items: &[T]) -> bool {
    items.iter().enumerate().all(|(place, item)| !items[..place].contains(item))
}

/// The stage of the game that a point belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Drafting,
    Between,
    Planning,
    Closed,
    Slots,
    Converting,
    Audience,
    Actions,
    Winter,
    Over,
}

impl State {
    fn stage(&self) -> Stage {
        match self.point {
            Point::DraftRefresh | Point::DraftCard | Point::DraftGroup => Stage::Drafting,
            Point::Season => Stage::Between,
            Point::Plan(_) => Stage::Planning,
            Point::Event => Stage::Closed,
            Point::Slot => Stage::Slots,
            Point::Court => Stage::Converting,
            Point::Hall
            | Point::Favour
            | Point::FavourEvent
            | Point::FavourUnrest
            | Point::FavourArmies
            | Point::FavourBuilding => Stage::Audience,
            Point::Kept if self.round == Round::Winter => Stage::Winter,
            Point::Turn | Point::Kept | Point::Act | Point::DeployMove | Point::Battle | Point::CleanUp => {
                Stage::Actions
            }
            Point::Winter | Point::Revolts | Point::Revolt | Point::Quell | Point::Score => Stage::Winter,
            Point::Over(_) => Stage::Over,
        }
    }

    /// Checks everything that is always true of a state.
    ///
    /// # Errors
    /// [`SetupError`] with the field and what is wrong with it.
    pub fn check(&self) -> Result<(), SetupError> {
        self.check_options()?;
        self.check_time()?;
        self.check_provinces()?;
        self.check_cubes()?;
        self.check_players()?;
        self.check_draft()?;
        self.check_events()?;
        self.check_layout()?;
        self.check_order()?;
        self.check_plans()?;
        self.check_court()?;
        self.check_winter()?;
        self.check_point()
    }

    fn check_options(&self) -> Result<(), SetupError> {
        let options = &self.options;
        let seats = options.seats;
        ensure((3..=5).contains(&seats), "options.seats", || format!("{seats}, 3 to 5 can play"))?;
        ensure(options.side == Side::Sun || options.mode == Mode::Draft, "options.mode", || {
            "\"fixed\" exists only for the sun side (TW-SETUP-01)".into()
        })?;
        let bump = options.bump_65536.unwrap_or(0);
        ensure(bump <= 65_536, "options.bump_65536", || format!("{bump}, at most 65536"))?;
        let event12 = self.board.event(EVENTS as u8);
        let loss = options.event12_rice_loss;
        let known = [Some(event12.rice_loss), event12.rice_loss_printed_card].contains(&Some(loss));
        ensure(known, "options.event12_rice_loss", || format!("{loss} is on neither card"))?;
        ensure(options.max_rounds > 0, "options.max_rounds", || "0 rounds, a match has at least 1".into())?;
        ensure(self.decider.0 < seats, "decider", || format!("there is no seat {}", self.decider.0))
    }

    /// Year, round and point go together (TW-ST-02).
    fn check_time(&self) -> Result<(), SetupError> {
        let (year, round) = (self.year, self.round);
        ensure((1..=2).contains(&year), "year", || format!("{year}, there are 2"))?;
        if let Point::Plan(entered) = self.point {
            let spaces = self.spaces();
            ensure(usize::from(entered) < spaces, "point.plan", || format!("{entered} of {spaces} spaces"))?;
        }
        let season = matches!(round, Round::Spring | Round::Summer | Round::Autumn);
        let fits = match self.stage() {
            Stage::Drafting => round == Round::Setup && year == 1,
            Stage::Between => match round {
                Round::Setup => year == 1,
                Round::Spring | Round::Summer => true,
                Round::Autumn => false,
                Round::Winter => year == 2,
            },
            Stage::Winter => round == Round::Winter,
            Stage::Over => match self.point {
                Point::Over(End::SecondWinter) => year == 2 && round == Round::Winter,
                _ => round != Round::Setup,
            },
            _ => season,
        };
        ensure(fits, "round", || format!("{} of year {year} does not go with the point", round.name()))
    }

    fn check_provinces(&self) -> Result<(), SetupError> {
        let in_play = self.in_play();
        for province in ProvinceId::all() {
            let it = &self.provinces[province];
            let field = || format!("provinces.{}", self.board.key(province));
            let wrong =
                |name: &str, reason: String| Err(SetupError::new(format!("{}.{name}", field()), reason));
            if in_play & province.bit() == 0 && *it != Province::default() {
                return Err(SetupError::new(field(), "is out of the game (TW-BOARD-04)"));
            }
            match it.owner {
                None if *it != Province::default() => {
                    return Err(SetupError::new(field(), "is neutral, so it holds nothing (TW-BOARD-06)"));
                }
                Some(owner) if owner.0 >= self.options.seats => {
                    return wrong("owner", format!("there is no seat {}", owner.0));
                }
                Some(_) if it.armies == 0 => {
                    return wrong("armies", "0 in an owned province (TW-BOARD-07)".into());
                }
                _ => {}
            }
            let sites = self.map().sites(province);
            if it.buildings() > sites {
                return wrong("castle", format!("{} buildings on {sites} sites", it.buildings()));
            }
            if it.unrest > MAX_UNREST {
                return wrong("unrest", format!("{}, at most {MAX_UNREST}", it.unrest));
            }
        }
        let markers = self.unrest_markers();
        ensure(markers <= UNREST_MARKERS, "provinces", || {
            format!("{markers} unrest markers, there are {UNREST_MARKERS} (TW-R-02)")
        })?;
        for building in Building::ALL {
            let built = self.provinces.0.iter().filter(|province| province.has(building)).count();
            ensure(built <= usize::from(building.tiles()), "provinces", || {
                format!("{built} tiles \"{}\", there are {}", building.name(), building.tiles())
            })?;
        }
        Ok(())
    }

    /// No cube is created or lost (TW-TOWER-04, TW-TOWER-05).
    fn check_cubes(&self) -> Result<(), SetupError> {
        ensure(self.tower.fits(self.parameters), "tower", || "more cubes on a shelf than it holds".into())?;
        let inside: [u16; COLOURS] = count(self.tower.cubes());
        let mut sums: [u32; COLOURS] = std::array::from_fn(|colour| {
            u32::from(self.supply.0[colour]) + u32::from(self.tray.0[colour]) + u32::from(inside[colour])
        });
        for province in &self.provinces.0 {
            if let Some(owner) = province.owner {
                sums[owner.index()] += u32::from(province.armies);
            }
        }
        for (sum, player) in sums.iter_mut().zip(&self.players.0) {
            *sum += player.groups.iter().map(|&size| u32::from(size)).sum::<u32>();
        }
        for colour in 0..COLOURS as u8 {
            let there = colour == FARMER || colour < self.options.seats;
            let (sum, all) = (sums[usize::from(colour)], if there { IN_THE_BOX[colour] } else { 0 });
            ensure(sum == u32::from(all), &format!("supply[{colour}]"), || {
                format!("{sum} cubes of colour {colour} in all, expected {all} (TW-TOWER-04)")
            })?;
        }
        Ok(())
    }

    fn check_players(&self) -> Result<(), SetupError> {
        for seat in (0..MAX_PLAYERS as u8).map(SeatId) {
            let player = &self.players[seat];
            let at = |name: &str| format!("players[{}].{name}", seat.0);
            if seat.0 >= self.options.seats {
                ensure(*player == Player::default(), &format!("players[{}]", seat.0), || {
                    "a seat that is not taken has something".into()
                })?;
                continue;
            }
            for (name, value) in [("chests", player.chests), ("rice", player.rice), ("score", player.score)] {
                ensure(value <= MAX_COUNT, &at(name), || format!("{value}, at most {MAX_COUNT}"))?;
            }
            for (year, tally) in player.tally.iter().enumerate() {
                let field = at(&format!("tally[{year}]"));
                let most = MAX_FAVOUR_POINTS;
                ensure(tally.favours <= most, &field, || format!("{} by favours", tally.favours))?;
                let later = year >= usize::from(self.year);
                ensure(!later || *tally == Tally::default(), &field, || "points of a year to come".into())?;
            }
            let officers = player.officers;
            let sum = u32::from(officers.supply) + u32::from(officers.entrance) + u32::from(officers.hall);
            let wanted = if self.options.court { OFFICERS.into() } else { 0 };
            ensure(sum == wanted, &at("officers"), || {
                format!("{sum} in all, expected {wanted} (CT-SETUP-02)")
            })?;
            let hall = officers.hall == 0 || self.stage() == Stage::Audience;
            ensure(hall, &at("officers.hall"), || format!("{} outside the audience", officers.hall))?;
            let wintry = self.round == Round::Winter && self.point != Point::Winter;
            let short = player.shortage <= if wintry { 45 } else { 0 };
            ensure(short, &at("shortage"), || format!("{} at this point", player.shortage))?;
        }
        Ok(())
    }
}
