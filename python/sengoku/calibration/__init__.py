"""Calibrates the fast model of the cube tower against the rigid one (TW-TOWER-44, TW-TOWER-45).

`measure` makes trials of the rigid tower, piece by piece into a file, so that a run that was stopped goes on
where it was. `statistics` are S1 to S8 of either model, with their standard errors. `fit` looks for
the parameters of the fast model that agree best on S1 to S4. `write` says how far the models are apart.
`calibrate` does it all.
"""

from sengoku.calibration.calibrate import calibrate
from sengoku.calibration.fit import fit
from sengoku.calibration.measure import FULL, Trials, measure, shelves
from sengoku.calibration.report import compare, write
from sengoku.calibration.statistics import statistics

__all__ = ["FULL", "Trials", "calibrate", "compare", "fit", "measure", "shelves", "statistics", "write"]
