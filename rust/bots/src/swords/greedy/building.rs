//! Action 3: where to build.

use sengoku_swords::Action;
use sengoku_swords::data::Fort;

use super::context::DecisionContext;
use crate::best;

impl DecisionContext<'_> {
    /// A castle where enemies are near and it hurts: beside a daimyo, or on a border with many enemies.
    pub(super) fn build(&self, legal: &[Action]) -> usize {
        let pool = self.state.pool;
        best(legal, |action| {
            let Action::Province(province) = action else { return 0.0 };
            let fort = self.state.provinces[province].fort;
            let stock = if fort == Fort::None { pool.castles } else { pool.bases };
            if stock == 0 {
                return -1.0;
            }
            let defence = self.defence(province);
            let danger = self.danger(province, &defence);
            let daimyo = f64::from(u8::from(!defence.army.is_empty()));
            let enemies = f64::from((self.around(province) & self.enemies).count_ones());
            let again = if fort == Fort::None { 0.0 } else { 0.5 };
            danger * (1.0 + daimyo) + 0.1 * enemies - again
        })
    }
}
