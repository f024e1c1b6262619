"""Write what a study found: the stored table, docs/results/NAME.md and its pictures.

    python docs/studies.py twala2020 results.sqlite "the call that filled it"

The store holds every fit; what comes out is small: data/results/NAME.csv.gz for
`load_results`, tables in Markdown, and pictures. Every number in the page is computed here.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import pandas as pd

import mdtree_nb as md
from mdtree_nb.evaluation import (
    corrected_resampled_ttest,
    critical_difference,
    friedman,
    read_store,
    rm_anova,
    wilcoxon_holm,
)
from mdtree_nb.studies.twala2020 import SUITES

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"
STORED = ROOT / "mdtree_nb" / "data" / "results"
ROWS = sorted(SUITES, key=lambda suite: suite[-4:], reverse=True)  # univa above unifo
METHODS = ["EMMI", "LPE", "FC", "TSPE", "DTPE"]  # in the source's order, the best first


def markdown(table: pd.DataFrame, digits: int = 3) -> str:
    """A table with its index, numbers rounded."""
    shown = table.reset_index()
    lines = [list(map(str, shown.columns)), ["---"] * shown.shape[1]]
    for row in shown.itertuples(index=False):
        lines.append([f"{v:.{digits}f}" if isinstance(v, float) else str(v) for v in row])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def store_table(name: str, table: pd.DataFrame, about: dict, *, wide: bool = False) -> None:
    """Write the compressed table; the same table is the same file.

    A wide one has a column for every strategy, which `load_results` stacks again.
    """
    STORED.mkdir(parents=True, exist_ok=True)
    if wide:
        about = about | {"columns": list(table.columns)}
        ids = [column for column in table.columns[:-1] if column != "strategy"]
        table = table.pivot(index=ids, columns="strategy", values=table.columns[-1]).reset_index()
    text = f"# {json.dumps(about)}\n" + table.to_csv(index=False, float_format="%.6g")
    (STORED / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def about(name: str, design: str, call: str, cells: int) -> dict:
    """What a stored table says about itself."""
    return {
        "name": name, "design": design, "call": call, "cells": cells, "version": md.__version__,
    }  # fmt: skip


def verdict(claim: str, word: str, why: str) -> str:
    """One line of the table of verdicts."""
    return f"| {claim} | **{word}** | {why} |"


# -- Twala ------------------------------------------------------------------------


def excess(table: pd.DataFrame) -> pd.DataFrame:
    """Error beyond that of the same method on complete rows."""
    names = ["dataset", "prediction"]
    whole = table[table["rate"] == 0].set_index(names)["smoothed_error"]
    table = table[table["rate"] > 0].join(whole.rename("complete"), on=names)
    return table.assign(excess_error=table["smoothed_error"] - table["complete"])


def excess_accuracy(table: pd.DataFrame) -> pd.DataFrame:
    """Excess of the plain error, per table."""
    plain = table.assign(smoothed_error=1 - table["accuracy"])
    gone = excess(plain)
    return gone.pivot_table(index="dataset", columns="prediction", values="excess_error")


def twala2020(path: str, call: str) -> None:
    """Tables, picture and verdicts of the study of Twala et al."""
    folds = read_store(path)
    names = ["dataset", "mechanism", "rate", "test", "strategy", "prediction"]
    measures = ["holes", "accuracy", "smoothed_error"]
    table = folds.groupby(names, as_index=False)[measures].mean()
    n_sets, n_folds = folds["dataset"].nunique(), folds["fold"].nunique()
    design = (
        f"{n_sets} stand-in tables x {len(SUITES)} suites x rates 0, 0.15, 0.3, 0.5 in the test "
        f"rows; {folds['repeat'].nunique()} x {n_folds} folds; means over folds."
    )
    cells = len(folds.drop_duplicates(["dataset", "repeat", "fold"]))
    store_table("twala2020", table, about("twala2020", design, call, cells))
    gone = excess(table)
    axes = md.plot_panels(
        gone, x="rate", y="excess_error", lines="prediction", panels="mechanism", order=ROWS,
        title="EMMI loses least where one column loses values; FC and DTPE are one curve",
    )  # fmt: skip
    axes[0].figure.savefig(RESULTS / "twala2020.png", dpi=110)
    by_set = gone.pivot_table(index="dataset", columns="prediction", values="excess_error")[METHODS]
    ranks = friedman(by_set, higher_is_better=False)
    plain = excess_accuracy(table)
    ax = md.plot_ranks(by_set, higher_is_better=False)
    ax.figure.savefig(RESULTS / "twala2020_ranks.png", dpi=110)
    suites = gone.pivot_table(index="mechanism", columns="prediction", values="excess_error")
    rates = gone.pivot_table(index="rate", columns="prediction", values="excess_error")
    pairs = wilcoxon_holm(by_set.drop(columns="DTPE"))
    page = [
        "# The study of Twala, Pillay and Nkoana (2020), again",
        design + " One binary tree per fold grows on complete rows; every method answers from that "
        "tree, for the same holes. Errors are smoothed: 1 - the chance given to the true class. "
        "The source names neither its tables nor how its trees were grown, so the tables are "
        "stand-ins and the trees are not pruned; `twala2020` lists what else was chosen.",
        "On complete rows the methods agree but for levels of a category that a node has not seen, "
        "which each treats in its own way; excess error is measured from each method's own.",
        f"    {call}",
        "Excess error, beyond that of complete rows, mean over tables:",
        markdown(suites.loc[list(SUITES), METHODS]),
        markdown(rates[METHODS]),
        "![excess error by suite](twala2020.png)",
        f"Mean ranks over {n_sets} tables (1 = least excess error); Nemenyi's critical difference "
        f"of 5 methods is {critical_difference(5, n_sets):.3f}, Friedman's F has "
        f"p = {ranks.f_p_value:.2g}. FC and DTPE share their ranks.",
        markdown(ranks.mean_ranks.sort_values().to_frame("mean rank")),
        "![mean ranks](twala2020_ranks.png)",
        "Pairs by Wilcoxon's signed-rank test over the tables, corrected by Holm's method; DTPE is "
        "FC and left out. Difference: the median over the tables.",
        markdown(pairs.set_index(["a", "b"])[["difference", "r_plus", "r_minus", "p_holm"]], 4),
        "Analysis of variance with repeated measures, as the source has it (each table is a "
        "subject; DTPE left out):",
        markdown(twala_anova(gone), 4),
        "With the plain error, the share of wrong answers, in place of the smoothed one:",
        markdown(plain.mean()[METHODS].to_frame("excess error").T, 4),
        "## What holds",
        "\n".join(twala_verdicts(by_set, gone, pairs)),
        "## Each table",
        markdown(by_set),
    ]
    (RESULTS / "twala2020.md").write_text("\n\n".join(page) + "\n", encoding="utf-8")


def twala_anova(gone: pd.DataFrame) -> pd.DataFrame:
    """Method, mechanism, pattern and rate as factors within tables."""
    factors = gone[gone["prediction"] != "DTPE"].assign(
        pattern=gone["mechanism"].str[-5:],
        mechanism=gone["mechanism"].str[:-5],
    )
    within = ["prediction", "mechanism", "pattern", "rate"]
    return rm_anova(factors, "excess_error", "dataset", within).iloc[:7]


def twala_verdicts(by_set: pd.DataFrame, gone: pd.DataFrame, pairs: pd.DataFrame) -> list[str]:
    """Every published conclusion, with what was found."""
    mean, pair = by_set.mean(), pairs.set_index(["a", "b"])
    found = mean.drop("DTPE").sort_values(kind="stable").index

    def p_of(a: str, b: str) -> float:
        return float(pair.loc[(a, b) if (a, b) in pair.index else (b, a), "p_holm"])

    def better(a: str, b: str) -> tuple[str, str]:
        return word(p_of(a, b), mean[a] < mean[b]), apart(a, b)

    def apart(a: str, b: str) -> str:
        return f"{a} {mean[a]:.3f}, {b} {mean[b]:.3f}, p = {p_of(a, b):.2g}"

    def equal(a: str, b: str) -> str:
        return "does not" if p_of(a, b) < 0.05 else "cannot tell"

    names = ["dataset", "mechanism", "rate"]
    wide = gone.pivot_table(index=names, columns="prediction", values="smoothed_error")
    largest = (wide["FC"] - wide["DTPE"]).abs().max()
    other = best_other(mean)
    told, numbers = better("EMMI", other)
    lines = [
        verdict(
            "errors EMMI < LPE < FC < TSPE < DTPE",
            "holds" if list(found) == METHODS[:-1] else "does not",
            f"{' < '.join(found)}, and DTPE = FC",
        ),
        verdict("EMMI is best", told, numbers + by_pattern(gone)),
        verdict("LPE is better than FC", *better("LPE", "FC")),
        verdict("FC is better than TSPE", *better("FC", "TSPE")),
        verdict(
            "FC is better than DTPE", "does not",
            f"on one tree they are one formula; largest difference {largest:.1g}",
        ),
        verdict(
            "TSPE and DTPE do not differ", equal("FC", "TSPE"),
            "DTPE is FC: " + apart("TSPE", "FC"),
        ),
        verdict(
            "LPE and EMMI do not differ", equal("EMMI", "LPE"),
            apart("EMMI", "LPE") + "; that none is seen does not say there is none",
        ),
        verdict("the others differ at 1 %", *others_differ(pairs)),
    ]  # fmt: skip
    return ["| published | here | why |", "|---|---|---|", *lines]


def others_differ(pairs: pd.DataFrame) -> tuple[str, str]:
    """Pairs besides TSPE, DTPE and LPE, EMMI, of which DTPE is FC."""
    others = pairs[~pairs[["a", "b"]].apply(set, axis=1).isin([{"LPE", "EMMI"}])]
    close = others[others["p_holm"] >= 0.01]
    names = ", ".join(f"{p.a} and {p.b} (p = {p.p_holm:.2g})" for p in close.itertuples())
    return ("does not", f"not {names}") if len(close) else ("holds", "all of them")


def best_other(mean: pd.Series) -> str:
    """The best method besides EMMI."""
    return str(mean.drop(["EMMI", "DTPE"]).idxmin())


def by_pattern(gone: pd.DataFrame) -> str:
    """EMMI against the best other, pattern by pattern."""
    parts = []
    for pattern in ("univa", "unifo"):
        its = gone[gone["mechanism"].str.endswith(pattern)]
        mean = its.groupby("prediction")["excess_error"].mean()
        other = best_other(mean)
        parts.append(f"{pattern}: EMMI {mean['EMMI']:.3f}, {other} {mean[other]:.3f}")
    return "; " + "; ".join(parts)


def word(p: float, right_way: bool) -> str:
    """Holds, does not, or cannot tell."""
    if p >= 0.05:
        return "cannot tell"
    return "holds" if right_way else "does not"


# -- EIG --------------------------------------------------------------------------

ARMS = [
    "program: eig_perfect", "program: eig_knn", "program: c45", "program: mean", "program: knn",
    "EIG true", "EIG knn", "EIG joint", "C4.5", "mean", "knn",
]  # fmt: skip
PAIRS = [
    ("program: eig_perfect", "program: c45"),
    ("program: eig_perfect", "C4.5"),
    ("program: eig_perfect", "program: mean"),
    ("program: eig_perfect", "program: knn"),
    ("program: eig_knn", "program: c45"),
    ("program: eig_knn", "program: eig_perfect"),
    ("EIG true", "C4.5"),
    ("EIG knn", "C4.5"),
    ("EIG true", "EIG knn"),
    ("EIG knn", "mean"),
    ("EIG knn", "knn"),
    ("EIG joint", "EIG knn"),
]
TESTS = ["complete", "missing", "imputed"]


def complete_blocks(folds: pd.DataFrame) -> pd.DataFrame:
    """What is there of all tables: rates, and for each arm whole repeats."""
    n_sets = folds["dataset"].nunique()
    have = folds.groupby(["strategy", "repeat", "rate"])[["dataset", "fold"]].apply(
        lambda its: len(its.drop_duplicates()) == n_sets * 5
    )
    whole = have[have].index
    arms = whole.get_level_values("strategy")
    rates = set.intersection(
        *(set(whole[arms == arm].get_level_values("rate")) for arm in set(arms))
    )
    keys = pd.MultiIndex.from_frame(folds[["strategy", "repeat", "rate"]])
    return folds[keys.isin(whole) & folds["rate"].isin(rates)]


def paired(folds: pd.DataFrame, a: str, b: str, test: str) -> pd.DataFrame:
    """Accuracy of a less that of b per table: mean over rates, corrected t-test over folds."""
    its = folds[folds["test"] == test]
    wide = its.pivot_table(
        index=["dataset", "repeat", "fold"], columns="strategy", values="accuracy"
    )[[a, b]].dropna()
    lines = {}
    for name, part in (wide[a] - wide[b]).groupby("dataset"):
        found = corrected_resampled_ttest(part, 1 / 4)
        lines[name] = {"difference": found.mean, "p": found.p_value}
    return pd.DataFrame(lines).T


def told(line: pd.Series) -> str:
    """One cell of the table of pairs: the difference, in bold where it is visible."""
    text = f"{line['difference']:+.3f}"
    return f"**{text}**" if line["p"] < 0.05 else text


def pair_table(folds: pd.DataFrame, test: str) -> pd.DataFrame:
    """All pairs on all tables."""
    return pd.DataFrame(
        {
            f"{a} - {b}": paired(folds, a, b, test).apply(told, axis=1)
            for a, b in PAIRS
            if {a, b} <= set(folds["strategy"])
        }
    ).T.rename_axis(f"{test} test rows")


def eig2020(path: str, call: str) -> None:
    """Tables, pictures and verdicts of the study of expected information gain."""
    folds = complete_blocks(read_store(path))
    rates = sorted(folds["rate"].unique())
    repeats = folds.groupby("strategy")["repeat"].nunique()
    fewer = repeats[repeats < repeats.max()]
    but = "".join(f", but {n} of {arm!r}" for arm, n in fewer.items())
    arms = [arm for arm in ARMS if arm in set(folds["strategy"])]
    but += "".join(f", none of {arm!r}, which was not finished" for arm in ARMS if arm not in arms)
    design = (
        f"{folds['dataset'].nunique()} tables ({', '.join(sorted(folds['dataset'].unique()))}) x "
        f"{len(rates)} rates ({', '.join(f'{r:g}' for r in rates)}) x 3 tests x {len(arms)} arms; "
        f"{repeats.max()} repeats of 5 folds{but}."
    )
    names = ["dataset", "mechanism", "rate", "test", "strategy", "prediction", "repeat", "fold"]
    cells = len(folds) // 3
    stored = folds[[*names, "rows", "holes", "accuracy"]].assign(holes=folds["holes"].round(4))
    stored["accuracy"] = stored["accuracy"].round(4)
    store_table("eig2020", stored, about("eig2020", design, call, cells), wide=True)
    shown = ["program: eig_perfect", "program: c45", "program: mean", "program: knn"]
    drawings = {
        "eig2020_program": (shown, "As its program computes it, EIG stays up and C4.5 falls"),
        "eig2020": (
            ["EIG true", "EIG knn", "EIG joint", "C4.5"],
            "Beside C4.5 with its own gain, guesses change little; joint falls behind",
        ),
    }
    for file, (drawn, title) in drawings.items():
        part = folds[folds["strategy"].isin(drawn)]
        axes = md.plot_panels(
            part, x="rate", y="accuracy", lines="strategy", panels="test", order=TESTS, title=title
        )
        axes[0].figure.savefig(RESULTS / f"{file}.png", dpi=110)
    means = folds.pivot_table(index=["test", "strategy"], columns="rate", values="accuracy")
    if len(rates) > 10:
        means = means[[rate for rate in rates if round(100 * rate) % 10 == 0]]
    means = means.reindex(pd.MultiIndex.from_product([TESTS, arms], names=["test", "strategy"]))
    page = [
        "# The study of expected information gain, again",
        design,
        "Every cell of a table is blank with the same chance, in training and test rows. Arms that "
        "begin with *program* compute as the authors' program does; the others as the paper "
        "describes EIG, with C4.5's gain without a slip. Audit and Autism are not in a package and "
        "were not run; `eig2020(['audit', 'autism'], drop_leak=False)` runs them as the source has "
        "them. Each contains a column that tells the label.",
        f"    {call}",
        "## Mean accuracy over tables",
        *(["At every second rate; the pictures have all."] if means.shape[1] < len(rates) else []),
        markdown(means),
        "![the program](eig2020_program.png)",
        "![the paper's definition](eig2020.png)",
        "## Differences on each table",
        "Mean over rates and folds; bold where it is visible (t-test corrected for resampling, "
        "5 %, not corrected for the number of lines).",
        *(markdown(pair_table(folds, test)) for test in TESTS),
        "## What holds",
        "*Holds* and *does not*: the difference is visible on more than half of the tables.",
        "\n".join(eig_verdicts(folds)),
    ]
    (RESULTS / "eig2020.md").write_text("\n\n".join(page) + "\n", encoding="utf-8")


def count_words(folds: pd.DataFrame, a: str, b: str, test: str) -> tuple[str, str]:
    """A verdict on "a is better than b", where a difference is visible on most tables."""
    table = paired(folds, a, b, test)
    visible = table[table["p"] < 0.05]
    ahead, behind = (visible["difference"] > 0).sum(), (visible["difference"] < 0).sum()
    text = (
        f"{test} test rows: {a} ahead of {b} on {ahead} of {len(table)} tables, behind on "
        f"{behind}, no visible difference on {len(table) - len(visible)}; mean "
        f"{table['difference'].mean():+.3f}"
    )
    if max(ahead, behind) <= len(table) / 2:
        return "cannot tell", text
    return ("holds" if ahead > behind else "does not"), text


def eig_verdicts(folds: pd.DataFrame) -> list[str]:
    """Every published conclusion, with what was found."""
    low, high = folds["rate"].min(), folds[folds["rate"] < 0.8]["rate"].max()
    whole = folds[folds["test"] == "complete"]
    means = whole.pivot_table(index="strategy", columns="rate", values="accuracy")
    fall = means[low] - means[high]
    lines = ["| published | here | why |", "|---|---|---|"]
    claim = "EIG is better than C4.5 (both as the program computes them)"
    for test in TESTS:
        told_here = count_words(folds, "program: eig_perfect", "program: c45", test)
        lines.append(verdict(claim, *told_here))
    lines.append(
        verdict(
            "on complete test rows EIG falls less than C4.5",
            "holds" if fall["program: eig_perfect"] < fall["program: c45"] else "does not",
            f"as the program computes them, from {low:g} to {high:g} missing EIG falls by "
            f"{fall['program: eig_perfect']:.3f} and C4.5 by {fall['program: c45']:.3f}; C4.5 with "
            f"its own gain falls by {fall['C4.5']:.3f}, EIG with true values by "
            f"{fall['EIG true']:.3f}, with the nearest rows by {fall['EIG knn']:.3f}",
        )
    )
    lines.append(
        verdict(
            "perfect imputation is what helps",
            "does not",
            "the program's perfect imputation is none: that arm scores known rows alone, which is "
            "C4.5's gain with the column's known share of the root; its C4.5 squares that share "
            "and takes the entropy of all rows, and this is the whole difference of the two",
        )  # fmt: skip
    )
    for claim, a, b in (
        ("EIG is better than C4.5 (true values as guesses)", "EIG true", "C4.5"),
        ("EIG is better than C4.5 (nearest rows as guesses)", "EIG knn", "C4.5"),
        ("EIG is better than imputing the mean first", "EIG knn", "mean"),
        ("EIG is better than imputing from the nearest rows first", "EIG knn", "knn"),
    ):
        for test in TESTS:
            lines.append(verdict(claim, *count_words(folds, a, b, test)))
    lines.append(verdict("Audit and Autism are learnt well", "cannot tell", "not run: not at hand"))
    return lines


STUDIES = {"eig2020": eig2020, "twala2020": twala2020}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", choices=sorted(STUDIES))
    parser.add_argument("store")
    parser.add_argument("call", help="the command that filled the store")
    options = parser.parse_args()
    STUDIES[options.study](options.store, options.call)
