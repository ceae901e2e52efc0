fn main() {
    use sengoku_tower_physics::*;
    use std::time::Instant;
    let mut text = include_str!("../data/geometry.toml").to_string();
    for argument in std::env::args().skip(1) {
        let (from, to) = argument.split_once("=>").unwrap();
        assert!(text.contains(from));
        text = text.replace(from, to);
    }
    let geometry = std::sync::Arc::new(Geometry::parse(&text).unwrap());
    for i in 0..3 {
        let mut tower = RigidTower::new(geometry.clone(), 1, i);
        let start = Instant::now();
        let t = tower.throw(&vec![Colour::FARMER; 38]);
        println!("fill held {} {:?} {:?}", tower.content(), t.statistics, start.elapsed());
        for k in [3, 6, 9, 12] {
            let start = Instant::now();
            let t = tower.throw(&vec![Colour::FARMER; k]);
            println!("k {k} out {} content {} {:?} {:?}", t.fallen.len(), tower.content(), t.statistics, start.elapsed());
        }
    }
}
