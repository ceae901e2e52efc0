//! A piece in a strike: what it is, where it stands, and how its owner decides.

use sengoku_kernel::SetupError;

use crate::data::{FULL_BLOCKS, LeaderKind, Terrain, UnitKind};

/// Most hexes a unit can retreat: the board has 11 rows (BT-BOARD-01).
pub const MAX_ROOM: u8 = 10;

/// A unit, or a leader alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// A unit.
    Unit(UnitKind),
    /// A leader without a unit (BT-LEADERS-02).
    Leader(LeaderKind),
}

impl PieceKind {
    /// The piece of a code; an army commander is alone only as a foot leader (BT-ARMY-COMMANDER-10).
    pub fn of_code(code: &str) -> Option<Self> {
        let leader = || LeaderKind::of_code(code).filter(|&kind| kind != LeaderKind::Commander);
        UnitKind::of_code(code).map(Self::Unit).or_else(|| leader().map(Self::Leader))
    }

    /// The piece as users write it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Unit(kind) => kind.code(),
            Self::Leader(kind) => kind.code(),
        }
    }

    /// The unit, if it is one.
    pub const fn unit(self) -> Option<UnitKind> {
        match self {
            Self::Unit(kind) => Some(kind),
            Self::Leader(_) => None,
        }
    }
}

/// A piece in a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact or a choice of its own")]
pub struct Piece {
    /// Its kind.
    pub kind: PieceKind,
    /// Blocks of a unit; a lone leader has none.
    pub blocks: u8,
    /// The leader attached to a unit; the bodyguard always has the army commander.
    pub leader: Option<LeaderKind>,
    /// The hex it stands in.
    pub terrain: Terrain,
    /// Whether friends stand in at least two hexes next to it (BT-MORALE-03).
    pub support: bool,
    /// Whether a leader in an adjacent hex can inspire it: a mounted one, or the army commander in his tent
    /// (BT-INSPIRE-01).
    pub adjacent_leader: bool,
    /// Choice: it is inspired whenever it may be (BT-INSPIRE-01..07).
    pub inspire: bool,
    /// Choice: most flags of a roll that it ignores where it may; `None` is as many as it may (BT-MORALE-01).
    pub ignore_flags: Option<u8>,
    /// Hexes that it can retreat (BT-RETREAT-03, BT-RETREAT-06).
    pub room: u8,
    /// Choice, or necessity: its leader commits seppuku where he would have to retreat alone (BT-SEPPUKU-01).
    pub seppuku: bool,
}

impl Piece {
    /// A full unit in the open, or a lone leader: alone, with room to retreat, and ignoring what flags it may.
    pub const fn new(kind: PieceKind) -> Self {
        let bodyguard = matches!(kind, PieceKind::Unit(UnitKind::Bodyguard));
        Self {
            kind,
            blocks: if matches!(kind, PieceKind::Unit(_)) { FULL_BLOCKS } else { 0 },
            leader: if bodyguard { Some(LeaderKind::Commander) } else { None },
            terrain: if bodyguard { Terrain::Tent } else { Terrain::Open },
            support: false,
            adjacent_leader: false,
            inspire: false,
            ignore_flags: None,
            room: MAX_ROOM,
            seppuku: false,
        }
    }

    /// A full unit in the open.
    pub const fn unit(kind: UnitKind) -> Self {
        Self::new(PieceKind::Unit(kind))
    }

    /// Refuses what cannot stand on a board.
    ///
    /// # Errors
    /// [`SetupError`] with the field and the offending value.
    pub fn validate(&self) -> Result<(), SetupError> {
        let refuse = |field: &str, reason: String| Err(SetupError::new(field, reason));
        if self.terrain == Terrain::River {
            return refuse("terrain", "\"river\", no piece can stand in a river".into());
        }
        if self.room > MAX_ROOM {
            return refuse("room", format!("{}, 0 to {MAX_ROOM} are possible", self.room));
        }
        let PieceKind::Unit(kind) = self.kind else {
            return match self.leader {
                Some(leader) => {
                    refuse("leader", format!("{:?}, a lone leader has no other with him", leader.code()))
                }
                None if self.blocks > 0 => refuse("blocks", format!("{}, a leader has none", self.blocks)),
                None if self.inspire => refuse("inspire", "true, a lone leader does not battle".into()),
                None => Ok(()),
            };
        };
        if !(1..=FULL_BLOCKS).contains(&self.blocks) {
            return refuse("blocks", format!("{}, 1 to {FULL_BLOCKS} are possible", self.blocks));
        }
        // BT-ARMY-COMMANDER-01: commander, bodyguard and tent are one
        if kind.is_bodyguard() && self.terrain != Terrain::Tent {
            return refuse("terrain", format!("{:?}, a bodyguard is in its tent", self.terrain.code()));
        }
        if kind.is_bodyguard() && self.leader.is_none() {
            return refuse("leader", "none, a bodyguard has its army commander".into());
        }
        if let Some(leader) = self.leader.filter(|leader| !leader.may_lead(kind)) {
            return refuse("leader", format!("{:?}, who cannot lead {:?}", leader.code(), kind.code()));
        }
        if self.inspire && self.leader.is_none() && !self.adjacent_leader {
            return refuse("inspire", "true, there is neither leader nor adjacent_leader to do so".into());
        }
        Ok(())
    }

    /// Whether its blocks can be inspired in a melee while its own leader is with them, or is not (BT-INSPIRE-01,
    /// BT-INSPIRE-05).
    pub(super) fn can_be_inspired(&self, led: bool) -> bool {
        (led || self.adjacent_leader) && self.terrain != Terrain::Buildings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_that_cannot_be() {
        let error = |piece: Piece| piece.validate().unwrap_err().to_string();
        let spears = Piece::unit(UnitKind::SamuraiSpear);
        let guard = Piece::unit(UnitKind::Bodyguard);
        let lone = Piece::new(PieceKind::of_code("LM").unwrap());
        for piece in [spears, guard, lone] {
            assert_eq!(piece.validate(), Ok(()));
        }
        assert_eq!(PieceKind::of_code("AC"), None); // BT-ARMY-COMMANDER-10
        assert_eq!(error(Piece { blocks: 5, ..spears }), "blocks: 5, 1 to 4 are possible");
        assert_eq!(error(Piece { blocks: 0, ..spears }), "blocks: 0, 1 to 4 are possible");
        assert_eq!(error(Piece { blocks: 1, ..lone }), "blocks: 1, a leader has none");
        assert_eq!(error(Piece { room: 11, ..lone }), "room: 11, 0 to 10 are possible");
        // BT-LEADERS-03
        let horse = Piece::unit(UnitKind::SpearCavalry);
        let foot = Some(LeaderKind::Foot);
        assert_eq!(error(Piece { leader: foot, ..horse }), "leader: \"LF\", who cannot lead \"SSpC\"");
        assert_eq!(
            error(Piece { leader: Some(LeaderKind::Commander), ..spears }),
            "leader: \"AC\", who cannot lead \"SSp\""
        );
        assert!(error(Piece { leader: foot, ..lone }).starts_with("leader: \"LF\""));
        // BT-ARMY-COMMANDER-01, BT-ARMY-COMMANDER-02
        assert!(error(Piece { terrain: Terrain::Open, ..guard }).starts_with("terrain: \"open\""));
        assert!(error(Piece { leader: None, ..guard }).starts_with("leader: none"));
        assert!(error(Piece { terrain: Terrain::River, ..spears }).starts_with("terrain: \"river\""));
        // BT-INSPIRE-01
        assert!(error(Piece { inspire: true, ..spears }).starts_with("inspire: true"));
        assert_eq!(Piece { inspire: true, adjacent_leader: true, ..spears }.validate(), Ok(()));
    }
}
