//! Does one kind of work on the reference battle a number of times, for tools that count instructions.
//!
//! Usage: `work sampled|exact|fight COUNT [INSTRUCTION_SET]`

use std::process::ExitCode;

use sengoku_kernel::odds::{Question, Sampler};
use sengoku_kernel::{Cancel, InstructionSet, Purpose, Stream};
use sengoku_swords::odds::{EXACT_STATE_LIMIT, exact};
use sengoku_swords::{Battle, BattleSetup, Force};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(kind), Some(count)) = (arguments.first(), arguments.get(1).and_then(|text| text.parse().ok()))
    else {
        return ExitCode::from(2);
    };
    let wanted = arguments.get(2);
    let set = match wanted {
        Some(name) => InstructionSet::available().find(|set| set.to_string() == *name),
        None => Some(InstructionSet::best()),
    };
    let army = Force::of([2, 2, 1, 2, 0, 3]);
    let setup = BattleSetup { attacker: army, defenders: vec![army], ..BattleSetup::default() };
    let (Some(set), Ok(battle)) = (set, Battle::new(&setup)) else { return ExitCode::from(3) };
    match kind.as_str() {
        "sampled" => {
            let mut sampler = Sampler::new(battle.plays(7, set));
            assert_eq!(sampler.play(count, &Cancel::default()), Ok(()));
        }
        "exact" => (0..count).for_each(|_| assert!(exact(&battle, EXACT_STATE_LIMIT).is_ok())),
        "fight" => (0..count).for_each(|index| {
            assert!(battle.fight(&mut Stream::new(7, Purpose::Game, index)).rounds > 0);
        }),
        _ => return ExitCode::from(2),
    }
    ExitCode::SUCCESS
}
