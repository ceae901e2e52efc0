"""Calibrates the fast model of the cube tower against the rigid one (TW-TOWER-44, TW-TOWER-45).

`measure` makes trials of the rigid tower, piece by piece into a file, so that a run that was stopped goes on
where it was. `statistics` are S1 to S8 of either model, with their standard errors. `fit` looks for
the parameters of the fast model that agree best on S1 to S4. `write` says how far the models are apart.
`calibrate` does it all.
"""
