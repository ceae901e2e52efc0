//! The program of libFuzzer: the variable `TARGET` names the target, `CORPUS` the folder that real values are put into.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;
use std::{env, fs};

use libfuzzer_sys::fuzz_target;
use sengoku_fuzz::{Target, seeds, target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("TARGET").unwrap_or_default();
    target(&name).unwrap_or_else(|| panic!("TARGET is {name:?}, which is not a target"))
});

fuzz_target!(
    init: {
        if let Ok(folder) = env::var("CORPUS") {
            for (number, value) in seeds(TARGET.name).iter().enumerate() {
                fs::write(Path::new(&folder).join(format!("real-{number}")), value).expect("the folder CORPUS");
            }
        }
    },
    |data: &[u8]| {
        (TARGET.run)(data);
    }
);
