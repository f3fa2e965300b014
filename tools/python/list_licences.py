# SPDX-License-Identifier: Apache-2.0
"""Prints name and licences of every distribution of this environment as JSON."""

from __future__ import annotations

import json
from importlib.metadata import Distribution, distributions

CLASSIFIER = "License :: OSI Approved :: "


def licences_of(distribution: Distribution) -> list[str]:
    """Returns the SPDX expression, else the classifiers, else the licence field, which some fill with a whole text."""
    metadata = distribution.metadata
    expressions = metadata.get_all("License-Expression")
    if expressions:
        return list(expressions)
    classifiers = [value.removeprefix(CLASSIFIER) for value in metadata.get_all("Classifier") or [] if value.startswith(CLASSIFIER)]
    return classifiers or [line for text in metadata.get_all("License") or [] for line in text.strip().splitlines()[:1]]


def main() -> None:
    """Prints the list, sorted by name."""
    rows = [{"name": one.metadata["Name"], "licences": licences_of(one)} for one in distributions()]
    print(json.dumps(sorted(rows, key=lambda row: row["name"].lower())))


if __name__ == "__main__":
    main()
