"""Spread tasks over processes through joblib, and go on where a process is killed."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

from joblib import Parallel, delayed, effective_n_jobs
from joblib.externals.loky import ProcessPoolExecutor
from joblib.externals.loky.process_executor import TerminatedWorkerError
from joblib.parallel import get_active_backend

from .store import Outcome
from .tasks import Task, run_task

_AHEAD = 4  # tasks per worker and round where joblib cannot hand out results one by one
_KILLED = "the process that computed this cell was killed, perhaps for want of memory."


def run_tasks(tasks: list[Task], n_jobs: int | None) -> Generator[list[Outcome], None, None]:
    """Run tasks and hand out what is ready.

    Parameters
    ----------
    tasks : list of Task
    n_jobs : int or None

    Yields
    ------
    list of Outcome
        A cell that kills its process is a failed one.
    """
    waiting = dict(enumerate(tasks))
    while waiting:
        try:
            with closing(_through_joblib(waiting, n_jobs)) as found:
                for number, outcomes in found:
                    del waiting[number]
                    yield outcomes
        except TerminatedWorkerError:  # by one of those that were handed out first, or the next
            suspects = list(waiting)[: 2 * effective_n_jobs(n_jobs)]
            for task in [waiting.pop(number) for number in suspects]:
                for cell in task.cells:
                    yield _run_alone(replace(task, cells=(cell,)))


def _through_joblib(
    tasks: dict[int, Task], n_jobs: int | None
) -> Generator[tuple[int, list[Outcome]], None, None]:
    backend, workers = get_active_backend()
    calls = [delayed(_run)(number, task) for number, task in tasks.items()]
    if backend.supports_return_generator:
        with closing(Parallel(n_jobs=n_jobs, return_as="generator_unordered")(calls)) as found:
            yield from found
        return
    # Ray's backend, like multiprocessing, only returns whole lists
    parallel, step = Parallel(n_jobs=n_jobs), _AHEAD * max(workers, 1)
    for start in range(0, len(calls), step):
        yield from parallel(calls[start : start + step])


def _run(number: int, task: Task) -> tuple[int, list[Outcome]]:
    return number, run_task(task)


def _run_alone(task: Task) -> list[Outcome]:
    """Run a task of one cell in a process of its own, so that no other one is to blame."""
    start = time.perf_counter()
    with ProcessPoolExecutor(max_workers=1) as process:
        try:
            return list(process.submit(run_task, task).result())
        except TerminatedWorkerError:
            why = {"status": "failed", "error": _KILLED, "seconds": time.perf_counter() - start}
            return [Outcome({**cell, **why}) for cell in task.cells]
