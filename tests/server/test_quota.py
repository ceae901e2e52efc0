"""Quotas: per client and in all, with the same wording everywhere."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from sengoku.errors import BusyError, QuotaError, StoreFullError
from sengoku.server.limits import Limits
from sengoku.server.quota import Quota, check_store


def quota(**options: object) -> Quota:
    return Quota("things", Limits(calls=3, client_calls=2), "calls", "client_calls", **options)  # type: ignore[arg-type]


def test_a_client_and_all_clients_are_bounded() -> None:
    things = quota(retry_after=lambda: 7.0)
    things.take("a")
    things.take("a")
    with pytest.raises(QuotaError, match="a uses 2 of 2 things, try again later") as own:
        things.take("a")
    assert own.value.details == {"field": "client_calls", "client": "a", "value": "2", "limit": "2"}
    things.check("b")
    things.take("b")
    with pytest.raises(BusyError, match="3 of 3 things are in use, try again later") as busy:
        things.check("b")
    assert busy.value.details == {"field": "calls", "value": "3", "limit": "3"}
    assert own.value.retry_after == busy.value.retry_after == 7.0
    things.add("b")  # even beyond the limits
    assert things.count == 4
    for client in "aabb":
        things.release(client)
    assert (things.count, things._clients) == (0, {})


def test_a_block_releases_what_it_holds() -> None:
    things = quota()
    with pytest.raises(ZeroDivisionError), things.hold("a"):
        things.count / (things.count - 1)
    assert things.count == 0


def test_threads_take_no_more_than_there_are() -> None:
    things = quota()

    def take(number: int) -> bool:
        try:
            things.take(str(number))
        except BusyError:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(take, range(200))) == 3


def test_bytes_of_the_store() -> None:
    check_store("the run", 2, used=7, limit=9)
    with pytest.raises(StoreFullError, match="the run needs 5 bytes but only 2 of 9 are free") as full:
        check_store("the run", 5, used=7, limit=9)
    values = {"value": "5", "kept": "7", "free": "2", "limit": "9"}
    assert full.value.details == {"field": "store_bytes"} | values
    with pytest.raises(StoreFullError, match="only 0 of 9 are free"):
        check_store("the run", 1, used=12, limit=9)
