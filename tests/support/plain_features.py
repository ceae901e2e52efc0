"""A plain encoder of features: value by value from the specification and the description of a row."""

import numpy as np
import numpy.typing as npt

from sengoku import Features, Spec


def encode(features: Features, spec: Spec, observation: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Return the features of one observation, as the descriptions in `features` say."""
    row = np.zeros(features.width, np.float32)
    for feature in features.features:
        field = spec[feature.field]
        values = spec.view(observation)[feature.field]
        for place in np.ndindex(field.shape):
            value = int(values[place])
            first = feature.offset + sum(
                at * stride for at, stride in zip(place, feature.strides, strict=True)
            )
            is_known = value != field.none
            if feature.kind == "known":
                row[first] = float(is_known)
            elif feature.kind == "one_hot":
                channel = value - feature.first
                if 0 <= channel < feature.count:
                    row[first + channel * feature.step] = 1.0
            elif is_known and feature.kind == "scaled":
                row[first] = np.float32(value - feature.first) / np.float32(feature.unit)
            elif is_known:
                for bit in range(feature.count):
                    row[first + bit] = float((value - feature.first) >> bit & 1)
    return row
