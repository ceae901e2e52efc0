//! Command cards and dragon cards (BT-CMD-01, BT-DRAGON-01).
//!
//! The enums only name the cards. What is printed on them is in `data/cards.toml`, which is compiled in and read once.

use std::sync::LazyLock;

use sengoku_kernel::{SetupError, read_setup};
use serde::{Deserialize, Deserializer, Serialize};

use super::{COMMAND_CARDS, DRAGON_CARDS, Flank, numbered};

numbered! {
    /// The kinds of command cards, in the order of their table (BT-CMD-01).
    #[derive(Default, Serialize, Deserialize)]
    pub enum CommandCard {
        /// Order One Unit Left.
        #[default]
        #[serde(rename = "C-ONE-L")]
        OneLeft,
        /// Order One Unit Center.
        #[serde(rename = "C-ONE-C")]
        OneCenter,
        /// Order One Unit Right.
        #[serde(rename = "C-ONE-R")]
        OneRight,
        /// Order Two Units Left.
        #[serde(rename = "C-TWO-L")]
        TwoLeft,
        /// Order Two Units Center.
        #[serde(rename = "C-TWO-C")]
        TwoCenter,
        /// Order Two Units Right.
        #[serde(rename = "C-TWO-R")]
        TwoRight,
        /// Order Three Units Left.
        #[serde(rename = "C-THREE-L")]
        ThreeLeft,
        /// Order Three Units Center.
        #[serde(rename = "C-THREE-C")]
        ThreeCenter,
        /// Order Three Units Right.
        #[serde(rename = "C-THREE-R")]
        ThreeRight,
        /// Advance Left.
        #[serde(rename = "C-ADV-L")]
        AdvanceLeft,
        /// Advance Center.
        #[serde(rename = "C-ADV-C")]
        AdvanceCenter,
        /// Advance Right.
        #[serde(rename = "C-ADV-R")]
        AdvanceRight,
        /// Crane's Wing.
        #[serde(rename = "C-CRANE")]
        CranesWing,
        /// Flight of Geese.
        #[serde(rename = "C-GEESE")]
        FlightOfGeese,
        /// Flanking Move.
        #[serde(rename = "C-FLANKS")]
        FlankingMove,
        /// Tiger's Tail Left.
        #[serde(rename = "C-TIGER-L")]
        TigersTailLeft,
        /// Tiger's Tail Right.
        #[serde(rename = "C-TIGER-R")]
        TigersTailRight,
        /// Order Circle Units.
        #[serde(rename = "C-CIRCLE")]
        CircleUnits,
        /// Order Triangle Units.
        #[serde(rename = "C-TRIANGLE")]
        TriangleUnits,
        /// Order Square Units.
        #[serde(rename = "C-SQUARE")]
        SquareUnits,
        /// Cavalry Charge.
        #[serde(rename = "C-CAVALRY")]
        CavalryCharge,
        /// Counterattack.
        #[serde(rename = "C-COUNTER")]
        Counterattack,
        /// First Strike.
        #[serde(rename = "C-FIRST")]
        FirstStrike,
        /// Hold and Shoot.
        #[serde(rename = "C-HOLD")]
        HoldAndShoot,
        /// Infantry Assault.
        #[serde(rename = "C-ASSAULT")]
        InfantryAssault,
        /// Leadership.
        #[serde(rename = "C-LEADER")]
        Leadership,
        /// Snake Command.
        #[serde(rename = "C-SNAKE")]
        SnakeCommand,
        /// Shogun.
        #[serde(rename = "C-SHOGUN")]
        Shogun,
    }
}

numbered! {
    /// The kinds of dragon cards, in the order of their table (BT-DRAGON-01).
    #[derive(Default, Serialize, Deserialize)]
    pub enum DragonCard {
        /// D-01 Ashigaru Attack.
        #[default]
        #[serde(rename = "D-01")]
        AshigaruAttack,
        /// D-02a Courageous Leader, after a roll (BT-R-71).
        #[serde(rename = "D-02a")]
        CourageousLeaderAfter,
        /// D-02b Courageous Leader, before a roll (BT-R-71).
        #[serde(rename = "D-02b")]
        CourageousLeaderBefore,
        /// D-03 Ninja Assassin.
        #[serde(rename = "D-03")]
        NinjaAssassin,
        /// D-04 Tactical Wisdom.
        #[serde(rename = "D-04")]
        TacticalWisdom,
        /// D-05 Physician.
        #[serde(rename = "D-05")]
        Physician,
        /// D-06 Terror Strike.
        #[serde(rename = "D-06")]
        TerrorStrike,
        /// D-07 Ambush.
        #[serde(rename = "D-07")]
        Ambush,
        /// D-08 Blue Dragon.
        #[serde(rename = "D-08")]
        BlueDragon,
        /// D-09 Wise Advisor.
        #[serde(rename = "D-09")]
        WiseAdvisor,
        /// D-10 Desperate Charge.
        #[serde(rename = "D-10")]
        DesperateCharge,
        /// D-11 Turncoats.
        #[serde(rename = "D-11")]
        Turncoats,
        /// D-12 Fire Arrows.
        #[serde(rename = "D-12")]
        FireArrows,
        /// D-13 Brave Messenger.
        #[serde(rename = "D-13")]
        BraveMessenger,
        /// D-14 Cowards.
        #[serde(rename = "D-14")]
        Cowards,
        /// D-15 Courage.
        #[serde(rename = "D-15")]
        Courage,
        /// D-16 Volley by Ranks.
        #[serde(rename = "D-16")]
        VolleyByRanks,
        /// D-17 Head Collector.
        #[serde(rename = "D-17")]
        HeadCollector,
        /// D-18 Katchu Keiba Winner.
        #[serde(rename = "D-18")]
        KatchuKeibaWinner,
        /// D-19 Legendary Combat.
        #[serde(rename = "D-19")]
        LegendaryCombat,
        /// D-20 Followers of Bishamon.
        #[serde(rename = "D-20")]
        FollowersOfBishamon,
        /// D-21 Insult.
        #[serde(rename = "D-21")]
        Insult,
        /// D-22 Personal Challenge.
        #[serde(rename = "D-22")]
        PersonalChallenge,
        /// D-23 Move Like the Wind.
        #[serde(rename = "D-23")]
        MoveLikeTheWind,
        /// D-24 Ninja Thief.
        #[serde(rename = "D-24")]
        NinjaThief,
        /// D-25 Aikido Training.
        #[serde(rename = "D-25")]
        AikidoTraining,
        /// D-26 Panic.
        #[serde(rename = "D-26")]
        Panic,
        /// D-27 Rice Famine.
        #[serde(rename = "D-27")]
        RiceFamine,
        /// D-28 Red Dragon.
        #[serde(rename = "D-28")]
        RedDragon,
        /// D-29 Vengeance.
        #[serde(rename = "D-29")]
        Vengeance,
        /// D-30 Bulletproof Armor.
        #[serde(rename = "D-30")]
        BulletproofArmor,
        /// D-31 Spirit of Haya-ji.
        #[serde(rename = "D-31")]
        SpiritOfHayaji,
        /// D-32 Spirit of Kisshoten.
        #[serde(rename = "D-32")]
        SpiritOfKisshoten,
        /// D-33 Tea Ceremony.
        #[serde(rename = "D-33")]
        TeaCeremony,
        /// D-34 Timid Success.
        #[serde(rename = "D-34")]
        TimidSuccess,
        /// D-35 White Dragon.
        #[serde(rename = "D-35")]
        WhiteDragon,
        /// D-36 Wild Winds.
        #[serde(rename = "D-36")]
        WildWinds,
        /// D-37 White Fox Spirit.
        #[serde(rename = "D-37")]
        WhiteFoxSpirit,
    }
}

numbered! {
    /// When dragon cards are played, and First Strike (BT-DRAGON-USE-04).
    #[derive(Serialize, Deserialize)]
    pub enum Window {
        /// Active player, together with his command card.
        #[serde(rename = "W-CMD-A")]
        CommandActive,
        /// Non-active player, when the command card is face up.
        #[serde(rename = "W-CMD-D")]
        CommandOther,
        /// Active player, before an ordered unit moves.
        #[serde(rename = "W-MOVE-A")]
        MoveActive,
        /// Non-active player, after an ordered leader has moved.
        #[serde(rename = "W-MOVE-D")]
        MoveOther,
        /// Active, then non-active player, when a melee between two units with leaders is declared.
        #[serde(rename = "W-MELEE-START")]
        MeleeStart,
        /// Non-active player, before the attacker's roll.
        #[serde(rename = "W-FIRST")]
        First,
        /// Roller, before a roll.
        #[serde(rename = "W-PRE-R")]
        PreRoller,
        /// Roller's opponent, before a roll.
        #[serde(rename = "W-PRE-O")]
        PreOpponent,
        /// Roller, after a melee roll.
        #[serde(rename = "W-POST-R")]
        PostRoller,
        /// Roller's opponent, after a roll.
        #[serde(rename = "W-POST-O")]
        PostOpponent,
        /// Active player, after a successful melee.
        #[serde(rename = "W-SUCCESS-A")]
        Success,
        /// Non-active player, when ground is about to be taken.
        #[serde(rename = "W-GROUND-D")]
        Ground,
        /// Active player, at the end of his turn.
        #[serde(rename = "W-END-A")]
        End,
    }
}

/// Section or tactic card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardKind {
    /// Orders by section.
    Section,
    /// Orders by what the card says.
    Tactic,
}

/// Whether a card lets a leader be ordered away from his unit (BT-ORDERS-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Helmet {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Orders from flag faces do.
    Flags,
    /// As the copied card.
    Copied,
}

/// The cards drawn at the end of the turn (BT-END-OF-TURN-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// One command card.
    Normal,
    /// Two command cards of which one is kept, and a dragon card.
    TwoKeepOne,
    /// As the copied card.
    Copied,
    /// A command card for its owner before the active player draws.
    First,
    /// One command card after both decks have been shuffled with their discards.
    Reshuffle,
}

/// The rolls that a dragon card is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CombatKind {
    /// Any, or the card has nothing to do with a roll.
    #[default]
    Any,
    /// Melee: attack, bonus melee, battle back, first strike.
    Melee,
    /// Ranged combat.
    Ranged,
    /// Battle back only.
    BattleBack,
}

/// The players that may play a dragon card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayableBy {
    /// The active player.
    Active,
    /// The non-active player.
    NonActive,
    /// Either player.
    Either,
}

/// Source of the cost of a dragon card (BT-DRAGON-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CostSource {
    /// Read from the printed sheet fragments.
    Ocr,
    /// Published correction of the designer.
    Knowledge,
    /// Proposed by the ledger.
    Proposed,
}

/// Orders by flank (BT-ORDERS-03). Tactical Wisdom and Counterattack change them (BT-CMD-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slots(pub [u8; Flank::COUNT]);

impl Slots {
    /// No orders by flank.
    pub const NONE: Self = Self([0; Flank::COUNT]);
    /// As many orders as command cards, for the Advance cards (BT-ORDERS-06).
    pub const COMMAND: u8 = u8::MAX;

    /// Orders on a flank for a player with this number of command cards.
    #[inline]
    pub const fn orders(self, flank: Flank, command: u8) -> u8 {
        let orders = self.0[flank.index()];
        if orders == Self::COMMAND { command } else { orders }
    }

    /// Left and right exchanged (BT-CMD-10).
    #[must_use]
    pub const fn mirrored(self) -> Self {
        let [left, center, right] = self.0;
        Self([right, center, left])
    }

    /// The entry of one flank moved to another, added to what is there (BT-DRAGON-13).
    #[must_use]
    pub const fn moved(mut self, from: Flank, to: Flank) -> Self {
        let orders = std::mem::replace(&mut self.0[from.index()], 0);
        self.0[to.index()] = self.0[to.index()].saturating_add(orders);
        self
    }

    /// Number of flanks with an order.
    pub fn entries(self) -> usize {
        self.0.iter().filter(|&&orders| orders > 0).count()
    }
}

/// A row of the command card table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandRow {
    /// Which card it is, by its id.
    #[serde(rename = "id")]
    pub card: CommandCard,
    /// The name as printed.
    pub name: String,
    /// Cards of the kind in the deck.
    pub copies: u8,
    /// Section or tactic card.
    pub kind: CardKind,
    /// Orders by flank; none for tactic cards.
    #[serde(default, deserialize_with = "read_slots")]
    pub slots: Slots,
    /// Whether leaders may be detached.
    pub helmet: Helmet,
    /// The cards drawn at the end of the turn.
    pub draw: Draw,
}

/// A row of the dragon card table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DragonRow {
    /// Which card it is, by its id.
    #[serde(rename = "id")]
    pub card: DragonCard,
    /// The name as printed.
    pub name: String,
    /// Cards of the kind in the deck.
    pub copies: u8,
    /// When it is played.
    pub window: Window,
    /// The rolls it is for.
    #[serde(default)]
    pub combat: CombatKind,
    /// The players that may play it.
    pub by: PlayableBy,
    /// Summary of its targets.
    pub target: String,
    /// Summary of its effect.
    pub effect: String,
    /// The rule that says it in full.
    pub rule: String,
    /// Honor it costs.
    pub cost: u8,
    /// Source of the cost.
    pub cost_source: CostSource,
    /// A note on the cost.
    #[serde(default)]
    pub cost_note: Option<String>,
}

/// Everything that is printed on the cards.
#[derive(Debug)]
pub struct Cards {
    command: [CommandRow; CommandCard::COUNT],
    dragon: [DragonRow; DragonCard::COUNT],
    by_window: [u64; Window::COUNT],
}

/// The cards of `data/cards.toml`.
pub static CARDS: LazyLock<Cards> = LazyLock::new(|| {
    Cards::read(include_str!("../../data/cards.toml")).expect("the card file of the crate is valid")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: u32,
    command: Vec<CommandRow>,
    dragon: Vec<DragonRow>,
}

impl Cards {
    fn read(text: &str) -> Result<Self, SetupError> {
        let value: serde_json::Value =
            toml::from_str(text).map_err(|error| SetupError::new("", error.to_string().trim_end()))?;
        let File { schema, command, dragon } = read_setup(&value)?;
        if schema != 1 {
            return Err(SetupError::new("schema", format!("{schema} is unknown, this build reads 1")));
        }
        let cards = |rows: &[(usize, u8)], field: &str, wanted: usize| {
            if let Some(at) = rows.iter().enumerate().position(|(at, &(index, _))| at != index) {
                return Err(SetupError::new(
                    format!("{field}[{at}].id"),
                    "cards stand in the order of their table",
                ));
            }
            let copies: usize = rows.iter().map(|&(_, copies)| usize::from(copies)).sum();
            let reason = || SetupError::new(field, format!("{copies} cards instead of {wanted}"));
            if copies == wanted { Ok(()) } else { Err(reason()) }
        };
        let kinds: Vec<_> = command.iter().map(|row| (row.card.index(), row.copies)).collect();
        cards(&kinds, "command", COMMAND_CARDS)?;
        let kinds: Vec<_> = dragon.iter().map(|row| (row.card.index(), row.copies)).collect();
        cards(&kinds, "dragon", DRAGON_CARDS)?;
        let mut by_window = [0; Window::COUNT];
        for row in &dragon {
            by_window[row.window.index()] |= row.card.bit();
        }
        let missing = |field: &'static str| move |_| SetupError::new(field, "a card of the table is missing");
        Ok(Self {
            command: command.try_into().map_err(|rows: Vec<CommandRow>| missing("command")(rows.len()))?,
            dragon: dragon.try_into().map_err(|rows: Vec<DragonRow>| missing("dragon")(rows.len()))?,
            by_window,
        })
    }

    /// The command deck before its first shuffle, the bottom first (BT-RAND-03).
    pub fn command_deck(&self) -> [CommandCard; COMMAND_CARDS] {
        deck(self.command.iter().map(|row| (row.card, row.copies)))
    }

    /// The dragon deck before its first shuffle, the bottom first (BT-RAND-03).
    pub fn dragon_deck(&self) -> [DragonCard; DRAGON_CARDS] {
        deck(self.dragon.iter().map(|row| (row.card, row.copies)))
    }
}

fn deck<Card: Copy, const COUNT: usize>(kinds: impl Iterator<Item = (Card, u8)>) -> [Card; COUNT] {
    let mut cards = kinds.flat_map(|(card, copies)| std::iter::repeat_n(card, usize::from(copies)));
    std::array::from_fn(|_| cards.next().expect("copies add up to the deck"))
}

impl CommandCard {
    /// The row of the command card table.
    #[inline]
    pub fn row(self) -> &'static CommandRow {
        &CARDS.command[self.index()]
    }

    /// The name as printed.
    pub fn name(self) -> &'static str {
        &self.row().name
    }

    /// Cards of the kind in the deck.
    pub fn copies(self) -> u8 {
        self.row().copies
    }

    /// Orders by flank; none for tactic cards.
    pub fn slots(self) -> Slots {
        self.row().slots
    }

    /// The card with left and right exchanged (BT-CMD-10).
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::OneLeft => Self::OneRight,
            Self::OneRight => Self::OneLeft,
            Self::TwoLeft => Self::TwoRight,
            Self::TwoRight => Self::TwoLeft,
            Self::ThreeLeft => Self::ThreeRight,
            Self::ThreeRight => Self::ThreeLeft,
            Self::AdvanceLeft => Self::AdvanceRight,
            Self::AdvanceRight => Self::AdvanceLeft,
            Self::TigersTailLeft => Self::TigersTailRight,
            Self::TigersTailRight => Self::TigersTailLeft,
            card => card,
        }
    }

    /// Whether it is a section card.
    #[inline]
    pub const fn is_section(self) -> bool {
        (self as u8) < Self::CircleUnits as u8
    }

    /// Whether it is an Order One card (BT-SCEN-14, BT-R-60).
    #[inline]
    pub const fn is_order_one(self) -> bool {
        matches!(self, Self::OneLeft | Self::OneCenter | Self::OneRight)
    }

    /// Whether it is an Order One, Two or Three card (BT-DRAGON-22).
    #[inline]
    pub const fn is_order_few(self) -> bool {
        (self as u8) < Self::AdvanceLeft as u8
    }
}

impl DragonCard {
    /// The row of the dragon card table.
    #[inline]
    pub fn row(self) -> &'static DragonRow {
        &CARDS.dragon[self.index()]
    }

    /// The name as printed.
    pub fn name(self) -> &'static str {
        &self.row().name
    }

    /// Cards of the kind in the deck.
    pub fn copies(self) -> u8 {
        self.row().copies
    }

    /// When it is played.
    pub fn window(self) -> Window {
        self.row().window
    }

    /// Honor it costs.
    pub fn cost(self) -> u8 {
        self.row().cost
    }

    /// The card as a set of one.
    pub const fn bit(self) -> u64 {
        1 << self as u8
    }
}

impl Window {
    /// The dragon cards that are played in it, as a set by [`DragonCard::bit`].
    #[inline]
    pub fn cards(self) -> u64 {
        CARDS.by_window[self.index()]
    }
}

fn read_slots<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Slots, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Orders {
        Number(u8),
        Command(CommandWord),
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum CommandWord {
        Command,
    }
    #[derive(Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Flanks {
        left: Option<Orders>,
        center: Option<Orders>,
        right: Option<Orders>,
    }
    let Flanks { left, center, right } = Flanks::deserialize(deserializer)?;
    Ok(Slots([left, center, right].map(|orders| match orders {
        None => 0,
        Some(Orders::Number(orders)) => orders,
        Some(Orders::Command(CommandWord::Command)) => Slots::COMMAND,
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_command_cards() {
        // BT-COMP-03, BT-CMD-01, BT-R-01, BT-R-67
        let copies = CommandCard::ALL.map(CommandCard::copies);
        assert_eq!(copies.iter().sum::<u8>(), 60);
        let section = |card: &CommandCard| card.row().kind == CardKind::Section;
        assert_eq!(CommandCard::ALL.into_iter().filter(section).map(CommandCard::copies).sum::<u8>(), 39);
        assert_eq!(CommandCard::InfantryAssault.copies(), 2);
        assert_eq!(
            copies,
            [2, 2, 2, 3, 4, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1]
        );
        for card in CommandCard::ALL {
            assert_eq!(card.is_section(), section(&card));
            assert_eq!(card.slots() == Slots::NONE, !card.is_section());
            assert_eq!(card.row().helmet == Helmet::Yes, card.is_section()); // BT-ORDERS-10
            assert_eq!(card.row().draw == Draw::TwoKeepOne, card.is_order_one()); // BT-END-OF-TURN-02
        }
        assert_eq!(CommandCard::TwoRight.slots(), Slots([0, 0, 2]));
        assert_eq!(CommandCard::FlightOfGeese.slots(), Slots([2, 2, 2]));
        assert_eq!(CommandCard::TigersTailLeft.slots(), Slots([1, 2, 0]));
        assert_eq!(CommandCard::AdvanceCenter.slots().orders(Flank::Center, 5), 5);
        assert_eq!(
            (CommandCard::Shogun.row().helmet, CommandCard::Shogun.row().draw),
            (Helmet::Flags, Draw::Reshuffle)
        );
        let few: Vec<_> = CommandCard::ALL.into_iter().filter(|card| card.is_order_few()).collect();
        assert_eq!((few.len(), few[8]), (9, CommandCard::ThreeRight));
    }

    #[test]
    fn forty_dragon_cards() {
        // BT-COMP-03, BT-DRAGON-01, BT-R-71
        assert_eq!(DragonCard::COUNT, 38);
        assert_eq!(DragonCard::ALL.map(DragonCard::copies).iter().sum::<u8>(), 40);
        assert_eq!((DragonCard::TacticalWisdom.copies(), DragonCard::PersonalChallenge.copies()), (2, 2));
        let costs = DragonCard::ALL.map(DragonCard::cost);
        assert_eq!(
            costs,
            [
                2, 1, 1, 3, 1, 2, 3, 2, 3, 1, 2, 3, 2, 1, 2, 1, 2, 0, 1, 2, 3, 1, 0, 2, 1, 2, 3, 3, 3, 1, 3,
                2, 2, 0, 1, 3, 2, 2
            ]
        );
        let read: Vec<&str> = DragonCard::ALL
            .into_iter()
            .filter(|card| card.row().cost_source != CostSource::Proposed)
            .map(DragonCard::name)
            .collect();
        assert_eq!(
            read,
            [
                "Physician",
                "Terror Strike",
                "Desperate Charge",
                "Turncoats",
                "Brave Messenger",
                "Rice Famine",
                "Bulletproof Armor"
            ]
        );
        assert_eq!(DragonCard::Turncoats.row().cost_source, CostSource::Knowledge);
    }

    #[test]
    fn windows_of_the_dragon_cards() {
        // BT-DRAGON-USE-03, BT-DRAGON-USE-04
        use DragonCard::*;
        let cards = |window: Window| -> Vec<DragonCard> {
            DragonCard::ALL.into_iter().filter(|card| window.cards() & card.bit() != 0).collect()
        };
        assert_eq!(cards(Window::CommandActive).len(), 16);
        assert_eq!(cards(Window::CommandOther), [FollowersOfBishamon, WildWinds, WhiteFoxSpirit]);
        assert_eq!(cards(Window::MoveActive), [KatchuKeibaWinner, SpiritOfHayaji]);
        assert_eq!(cards(Window::MoveOther), [Insult]);
        assert_eq!(cards(Window::MeleeStart), [PersonalChallenge]);
        assert_eq!(cards(Window::First), [Ambush]);
        assert_eq!(
            cards(Window::PreRoller),
            [TerrorStrike, DesperateCharge, Cowards, HeadCollector, Vengeance]
        );
        assert_eq!(cards(Window::PreOpponent), [CourageousLeaderBefore, Courage, AikidoTraining]);
        assert_eq!(cards(Window::PostRoller), [SpiritOfKisshoten]);
        assert_eq!(cards(Window::PostOpponent), [CourageousLeaderAfter, BulletproofArmor]);
        assert_eq!(cards(Window::Success), [LegendaryCombat]);
        assert_eq!(cards(Window::Ground), [TimidSuccess]);
        assert_eq!(cards(Window::End), [WiseAdvisor]);
        assert_eq!(Window::ALL.map(|window| cards(window).len()).iter().sum::<usize>(), 38);
        let of = |kind| -> Vec<DragonCard> {
            DragonCard::ALL.into_iter().filter(|card| card.row().combat == kind).collect()
        };
        assert_eq!(of(CombatKind::Ranged), [BulletproofArmor]);
        assert_eq!(of(CombatKind::BattleBack), [Vengeance]);
        assert_eq!(
            of(CombatKind::Melee),
            [
                CourageousLeaderAfter,
                TerrorStrike,
                DesperateCharge,
                HeadCollector,
                AikidoTraining,
                SpiritOfKisshoten
            ]
        );
        assert_eq!((HeadCollector.row().by, Cowards.row().by), (PlayableBy::Active, PlayableBy::Either));
    }

    #[test]
    fn decks_before_the_shuffle() {
        // BT-RAND-03
        let command = CARDS.command_deck();
        assert_eq!(command[..3], [CommandCard::OneLeft, CommandCard::OneLeft, CommandCard::OneCenter]);
        assert_eq!(command[59], CommandCard::Shogun);
        let dragon = CARDS.dragon_deck();
        assert_eq!(
            dragon[1..6],
            [
                DragonCard::CourageousLeaderAfter,
                DragonCard::CourageousLeaderBefore,
                DragonCard::NinjaAssassin,
                DragonCard::TacticalWisdom,
                DragonCard::TacticalWisdom
            ]
        );
        assert_eq!(dragon[39], DragonCard::WhiteFoxSpirit);
    }

    #[test]
    fn slots_that_cards_change() {
        // BT-CMD-10, BT-CMD-11, BT-DRAGON-13
        for card in CommandCard::ALL {
            assert_eq!(card.mirrored().slots(), card.slots().mirrored());
            assert_eq!(card.mirrored().mirrored(), card);
        }
        assert_eq!(CommandCard::TigersTailLeft.slots().mirrored(), CommandCard::TigersTailRight.slots());
        assert_eq!(CommandCard::FlankingMove.slots().moved(Flank::Left, Flank::Right), Slots([0, 0, 4]));
        assert_eq!(CommandCard::TigersTailRight.slots().moved(Flank::Center, Flank::Left), Slots([2, 0, 1]));
        let advance = CommandCard::AdvanceLeft.slots().moved(Flank::Left, Flank::Center);
        assert_eq!((advance, advance.entries()), (CommandCard::AdvanceCenter.slots(), 1));
    }
}
