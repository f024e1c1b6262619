"""The `mdtree-nb` command.

Nothing heavy is imported before the arguments are read, so `--help` is instant.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from . import __version__


class UserError(Exception):
    """Something the user can mend; the message is one sentence that says how."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str or None, default=None
        None = those of the process.

    Returns
    -------
    int
        Exit code: 0, or 2 where the user can mend something or has stopped it.
    """
    parsed = _parser().parse_args(arguments)
    try:
        parsed.run(parsed)
    except UserError as error:
        print(f"mdtree-nb: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("mdtree-nb: stopped.", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mdtree-nb",
        description="Decision trees for tables with missing values.",
    )
    parser.add_argument("--version", action="version", version=f"mdtree-nb {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_compare(commands)
    _add_experiment(commands)
    datasets = commands.add_parser("datasets", help="list the bundled data sets")
    datasets.set_defaults(run=_datasets)
    return parser


def _add_compare(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        help="compare the strategies on a table",
        description=(
            "Compare all missing-value strategies on a table by repeated cross-validation; print "
            "a ranking and leave an executed notebook and an HTML page."
        ),
    )
    compare.add_argument(
        "--data", metavar="FILE", help="CSV or Parquet file (default: the bundled horse_colic)"
    )
    compare.add_argument("--target", metavar="COLUMN", help="column to predict")
    compare.add_argument(
        "--na", metavar="TEXT", action="append", default=[], help="also read TEXT as missing"
    )
    compare.add_argument(
        "--drop", metavar="COLUMN", action="append", default=[], help="leave out a column"
    )
    compare.add_argument("--encoding", default="utf-8", help="of a CSV file (default: utf-8)")
    compare.add_argument("--task", choices=["auto", "classification", "regression"], default="auto")
    _add_choices(compare)
    compare.add_argument(
        "--out", metavar="FOLDER", default="output", help="for the report (default: output)"
    )
    compare.add_argument("--no-report", action="store_true", help="print the ranking only")
    compare.add_argument("--quiet", action="store_true", help="no progress bar")
    compare.set_defaults(run=_compare)


def _add_choices(compare: argparse.ArgumentParser) -> None:
    """What to compare, and how."""
    compare.add_argument(
        "--strategies", metavar="A,B,...", help="only these (default: every checked one)"
    )
    compare.add_argument("--folds", type=int, default=5, help="default: 5")
    compare.add_argument("--repeats", type=int, default=2, help="default: 2")
    compare.add_argument(
        "--scoring",
        metavar="NAME",
        help="accuracy, balanced_accuracy, log_loss, brier, auc, smoothed_error, r2, mae, or a "
        "scorer of scikit-learn (default: accuracy or r2)",
    )
    compare.add_argument(
        "--amputate",
        metavar="HOW",
        help="make holes in every fold: MCAR, MAR, MNAR, or one of Twala's scenarios such as "
        "MARunifo",
    )
    compare.add_argument("--rate", type=float, default=0.2, help="of --amputate (default: 0.2)")
    compare.add_argument(
        "--test-missing",
        metavar="WHAT",
        help="what test rows miss: as_is, complete, amputated or imputed (default: amputated with "
        "--amputate, else as_is)",
    )
    compare.add_argument(
        "--pruning", metavar="NAME", help="of all trees, such as pessimistic (default: none)"
    )
    compare.add_argument(
        "--budget",
        metavar="SECONDS",
        type=float,
        default=20.0,
        help="for each strategy; what takes longer skips its other folds (default: 20)",
    )
    compare.add_argument("--jobs", type=int, help="folds at the same time (default: 1)")
    compare.add_argument("--max-depth", type=int, default=None, help="default: no limit")
    compare.add_argument("--min-samples-leaf", type=int, default=5, help="default: 5")


def _add_experiment(commands: Any) -> None:
    experiment = commands.add_parser(
        "experiment",
        help="run a published study",
        description=(
            "Run a published study, or go on with it: what is in the store is not computed again. "
            "Stop it whenever you like."
        ),
    )
    experiment.add_argument("study", metavar="STUDY", help="twala2020 or eig2020")
    experiment.add_argument(
        "--store", metavar="FILE", required=True, help="SQLite file that keeps the results"
    )
    experiment.add_argument("--jobs", metavar="N", type=int, default=1, help="default: 1 process")
    experiment.add_argument("--datasets", metavar="A,B,...", help="default: those of the study")
    experiment.add_argument("--methods", metavar="A,B,...", help="default: those of the study")
    experiment.add_argument("--rates", metavar="A,B,...", help="shares from 0 to 1")
    experiment.add_argument("--folds", type=int, help="default: as in the study")
    experiment.add_argument("--repeats", type=int, help="default: as in the study")
    experiment.add_argument("--max-cells", metavar="N", type=int, help="stop after N fits")
    experiment.add_argument(
        "--retry-failed", action="store_true", help="try again what failed before"
    )
    experiment.add_argument("--quiet", action="store_true", help="no progress bar")
    experiment.set_defaults(run=_experiment)


def _experiment(options: argparse.Namespace) -> None:
    import warnings

    from .studies import get_study

    names = {name: _listed(vars(options)[name]) for name in ("datasets", "methods", "rates")}
    numbers = {name: vars(options)[name] for name in ("folds", "repeats")}
    asked = {name: value for name, value in (names | numbers).items() if value is not None}
    try:
        for name in ("folds", "repeats", "max_cells"):
            least = 0 if name == "max_cells" else 1
            if vars(options)[name] is not None and vars(options)[name] < least:
                option = f"--{name.replace('_', '-')} {vars(options)[name]}"
                raise ValueError(f"{option}: it must be at least {least}.")
        for name, value in names.items():
            if value == []:
                raise ValueError(f"--{name} is empty; leave it out for those of the study.")
        if "rates" in asked:
            asked["rates"] = [float(rate) for rate in asked["rates"]]
        experiment = get_study(options.study)(**asked)
        print(experiment)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".* cells failed")  # said below
            results = experiment.run(
                options.store,
                n_jobs=options.jobs,
                retry_failed=options.retry_failed,
                max_cells=options.max_cells,
                progress=not options.quiet,
            )
        cells = experiment.cells(options.store)
    except (ValueError, TypeError, OSError) as error:
        raise UserError(str(error)) from error
    except KeyboardInterrupt:
        raise UserError("stopped; the same command goes on from here.") from None
    _print_experiment(results, cells)


def _listed(text: str | None) -> list[str] | None:
    """Names between commas."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _print_experiment(results: Any, cells: Any) -> None:
    """Print means over everything that was averaged, and what is not done."""
    if len(results):
        measure = "smoothed_error" if "smoothed_error" in results else "squared_error"
        columns = [name for name in ("strategy", "prediction") if results[name].nunique() > 1]
        table = results.pivot_table(
            index=["mechanism", "rate", "test"], columns=columns or ["strategy"], values=measure
        )
        print(f"\nMean {measure.replace('_', ' ')}:\n{table.round(3).to_string()}\n")
    counts = cells["status"].value_counts()
    print(", ".join(f"{n} {status}" for status, n in counts.items()), "of", len(cells), "cells.")
    for line in cells[cells["status"] == "failed"].head(3).itertuples():
        why = line.error.strip().splitlines()[-1]
        print(f"failed: {line.strategy} on {line.dataset}, fold {line.fold}: {why}")


def _datasets(_: argparse.Namespace) -> None:
    from .datasets import overview

    for name, line in overview().iterrows():
        size = (
            f"{line['rows']:6d} rows {line['features']:3d} columns {line['missing']:5.1%} missing"
        )
        print(f"{name:24s} {size}  {line['title']}")


def _compare(options: argparse.Namespace) -> None:
    from . import report

    try:
        question = report.read_question(
            options.data,
            options.target,
            na=options.na,
            drop=options.drop,
            encoding=options.encoding,
            task=options.task,
        )
        print(report.describe_question(question), end="\n\n")
        comparison = _run_comparison(options, question)
    except (ValueError, TypeError, OSError, ImportError) as error:
        raise UserError(str(error)) from error
    print(report.ranking(comparison), end="\n\n")
    print(comparison.sentence())
    if not options.no_report:
        try:
            paths = report.write_report(question, comparison, options.out)
        except (OSError, ImportError) as error:
            raise UserError(f"the report could not be written: {error}") from error
        print("\nReport:", *paths, sep="\n  ")
    if comparison.best is None:
        raise UserError("no strategy could be compared; the reasons are above.")


def _run_comparison(options: argparse.Namespace, question: Any) -> Any:
    from .estimators import MDTreeClassifier, MDTreeRegressor
    from .evaluation import compare

    tree = MDTreeClassifier if question.task == "classification" else MDTreeRegressor
    return compare(
        question.X,
        question.y,
        _listed(options.strategies),
        estimator=tree(max_depth=options.max_depth, min_samples_leaf=options.min_samples_leaf),
        pruning=options.pruning,
        folds=options.folds,
        repeats=options.repeats,
        scoring=options.scoring,
        amputate=_amputer(options),
        test_missing=options.test_missing,
        budget=options.budget,
        n_jobs=options.jobs,
        progress=not options.quiet,
    )


def _amputer(options: argparse.Namespace) -> Any:
    from .missingness import Amputer, scenario

    if options.amputate is None:
        return None
    if options.amputate in ("MCAR", "MAR", "MNAR"):
        return Amputer(options.amputate, rate=options.rate, order="frequency")
    try:
        return scenario(options.amputate, options.rate).set_params(order="frequency")
    except ValueError as error:
        raise ValueError(f"--amputate: {error} Or pass MCAR, MAR or MNAR.") from error


if __name__ == "__main__":
    sys.exit(main())
