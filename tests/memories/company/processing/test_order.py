import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from memories.company.processing import order


@given(
    old=st.lists(st.integers(1, 60), unique=True, max_size=20),
    new=st.integers(0, 8),
    seed=st.randoms(use_true_random=False),
)
def test_positions_always_rise_and_stay_above_zero(old: list[int], new: int, seed: random.Random) -> None:
    present: list[int | None] = [*old, *[None] * new]
    seed.shuffle(present)

    found = order.positions(present)

    assert len(found) == len(present)
    assert all(one < other for one, other in itertools.pairwise(found))
    assert all(position > 0 for position in found)


def test_a_new_thing_at_the_top_or_between_moves_no_other() -> None:
    assert order.positions([None, 1024, 2048]) == [512, 1024, 2048]
    assert order.positions([1024, None, 2048]) == [1024, 1536, 2048]
    assert order.positions([1024, 2048, None]) == [1024, 2048, 3072]


def test_one_thing_that_moved_is_the_only_one_with_a_new_position() -> None:
    assert order.positions([3072, 1024, 2048]) == [512, 1024, 2048]


def test_when_a_gap_is_full_all_are_numbered_anew() -> None:
    assert order.positions([1, None, 2]) == [1024, 2048, 3072]
