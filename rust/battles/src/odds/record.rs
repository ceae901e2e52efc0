//! A strike fought with scripted faces, and its account.

use sengoku_kernel::Script;
use thiserror::Error;

use super::account::{FightStep, Outcome, What};
use super::exact::{read, shortage};
use super::fight::{Dice, Roll, Rolled, Shortage, Stage};
use super::sample::throw;
use super::strike::{Role, Strike};
use crate::data::{Face, Faces, Symbol};

/// Why scripted faces do not fit a strike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FaceScriptError {
    /// The script ends in the middle of the strike.
    #[error("{given} faces given, at least {needed} needed")]
    TooFew {
        /// Faces in the script.
        given: usize,
        /// Least number of faces needed up to and including the roll that was under way.
        needed: usize,
    },
    /// The strike ends before the script.
    #[error("{given} faces given, only {used} needed, {left} left over", left = given - used)]
    TooMany {
        /// Faces in the script.
        given: usize,
        /// Faces rolled.
        used: usize,
    },
}

/// A strike fought to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// The remains of both sides.
    pub outcome: Outcome,
    /// Everything that happened, in order.
    pub steps: Vec<FightStep>,
}

impl Strike {
    /// Fights the strike with scripted faces in the order of the rules: each combat roll with the re-rolls of it, then the
    /// leader check, then a lack-of-honor roll (BT-MELEE-15, BT-RAND-01).
    ///
    /// # Errors
    /// [`FaceScriptError`] when the script is too short or too long.
    pub fn fight(&self, faces: &[Face]) -> Result<Fight, FaceScriptError> {
        let given = faces.len();
        let rolls: Vec<u32> = faces.iter().map(|face| face.index() as u32).collect();
        let mut dice = Recorded { script: Script::new(&rolls), draws: 0, needed: None, steps: Vec::new() };
        let mut world = self.start();
        for &stage in self.stages() {
            self.play(stage, &mut world, &mut dice);
            if let Some(needed) = dice.needed {
                return Err(FaceScriptError::TooFew { given, needed });
            }
        }
        match dice.script.requested() {
            used if used < given => Err(FaceScriptError::TooMany { given, used }),
            _ => Ok(Fight { outcome: world.outcome, steps: dice.steps }),
        }
    }
}

/// Scripted dice that write down what they show.
struct Recorded<'a> {
    script: Script<'a>,
    draws: u32,
    /// Faces that were needed when the script ran out.
    needed: Option<usize>,
    steps: Vec<FightStep>,
}

impl Recorded<'_> {
    fn throw(&mut self, dice: u8, shown: &mut Vec<Face>) -> Faces {
        let faces = throw(dice, &mut self.draws, &mut self.script, |face| shown.push(face));
        if self.script.missing() > 0 {
            self.needed.get_or_insert(self.script.requested());
        }
        faces
    }
}

impl Dice for Recorded<'_> {
    fn roll(&mut self, roll: &Roll) -> Rolled {
        let mut shown = Vec::new();
        let mut faces = self.throw(roll.dice, &mut shown);
        if roll.again {
            faces += self.throw(faces[Face::Swords], &mut shown);
        }
        let rolled = read(&roll.combat, &faces);
        let what = match roll.stage {
            Stage::FirstStrike => What::FirstStrike,
            Stage::Attack => What::Attack,
            Stage::BattleBack => What::BattleBack,
        };
        let Rolled { hits, flags, honor } = rolled;
        let step = FightStep::new(what, roll.by());
        self.steps.push(FightStep { faces: shown, hits, flags, honor: honor.cast_signed(), ..step });
        rolled
    }

    fn check(&mut self, by: Role, dice: u8) -> bool {
        let mut shown = Vec::new();
        let falls = self.throw(dice, &mut shown)[Face::Swords] == dice;
        let step = FightStep::new(What::LeaderCheck, by);
        self.steps.push(FightStep { faces: shown, hits: falls.into(), ..step });
        falls
    }

    fn lack_of_honor(&mut self, role: Role, dice: u8, own: Symbol) -> Shortage {
        let mut shown = Vec::new();
        let shortage = shortage(&self.throw(dice, &mut shown), own);
        self.steps.push(FightStep { faces: shown, ..FightStep::new(What::LackOfHonor, role) });
        shortage
    }

    fn record(&mut self, step: FightStep) {
        self.steps.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::UnitKind;
    use crate::odds::{Piece, StrikeSetup};

    fn fight(faces: &str) -> Result<Fight, FaceScriptError> {
        let (spears, bows) = (Piece::unit(UnitKind::AshigaruSpear), Piece::unit(UnitKind::AshigaruBow));
        let faces: Vec<Face> = faces.chars().filter_map(Face::of_letter).collect();
        Strike::new(&StrikeSetup::melee(spears, bows)).unwrap().fight(&faces)
    }

    #[test]
    fn scripts_are_used_up() {
        assert_eq!(fight("CX"), Err(FaceScriptError::TooFew { given: 2, needed: 3 }));
        assert_eq!(fight("CXT"), Err(FaceScriptError::TooFew { given: 3, needed: 5 }));
        assert_eq!(fight("CXTHHH"), Err(FaceScriptError::TooMany { given: 6, used: 5 }));
        // BT-MELEE-07, BT-MELEE-11: two blocks of the bows, then two honor for them
        let fought = fight("CXTHH").unwrap();
        assert_eq!((fought.outcome[Role::Defender].blocks, fought.outcome[Role::Defender].honor), (2, 2));
        let what: Vec<What> = fought.steps.iter().map(|step| step.what).collect();
        assert_eq!(what, [What::Attack, What::Losses, What::BattleBack, What::Honor]);
        // BT-BATTLEBACK-03: who retreats does not battle back
        assert_eq!(fight("FTT").unwrap().outcome[Role::Defender].retreat, 1);
    }
}
