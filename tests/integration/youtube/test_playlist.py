"""A playlist becomes its videos, bounded, in order, and says what is left out."""

from pathlib import Path

import pytest
from redis.asyncio import Redis

from core.adapters.youtube.playlist import PlaylistOpener
from core.errors import RateLimited, TransientError, UserError
from core.model.source import Reason, SourceKind
from core.ports.documents import ExtractionRequest, Opened
from tests.fakes.youtube import FakeYoutube
from tests.fakes.youtube_list import Playlist
from tests.integration.youtube.conftest import PASSWORD

LIST = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"


def videos(count: int) -> tuple[tuple[str, str], ...]:
    return tuple((f"video{number:06}", f"Лекция {number}") for number in range(count))


async def opened(youtube: FakeYoutube, redis: Redis | None, folder: Path, *, limit: int, list_id: str = LIST) -> Opened:
    opener = PlaylistOpener(redis, proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file, rest_s=0)
    assert PASSWORD not in repr(opener)
    url = f"https://m.youtube.com/playlist?list={list_id}&si=x"
    return await opener.open(ExtractionRequest("", SourceKind.PLAYLIST, url=url), folder, limit=limit)


async def test_the_videos_of_a_list_come_in_its_order(youtube: FakeYoutube, redis: Redis, tmp_path: Path) -> None:
    youtube.add(Playlist(LIST, videos=videos(3)))
    found = await opened(youtube, redis, tmp_path, limit=50)
    assert [(member.title, member.url) for member in found.members] == [
        (f"Лекция {number}", f"https://www.youtube.com/watch?v=video{number:06}") for number in range(3)
    ]
    assert {member.kind for member in found.members} == {SourceKind.YOUTUBE}
    assert found.lost == ()
    assert youtube.asked == ["list"]
    assert youtube.proxy.unknown_hosts == []


async def test_a_longer_list_is_cut_and_the_rest_is_counted(youtube: FakeYoutube, redis: Redis, tmp_path: Path) -> None:
    youtube.add(Playlist(LIST, videos=videos(250)))
    found = await opened(youtube, redis, tmp_path, limit=120)
    assert [member.url[-11:] for member in found.members] == [f"video{number:06}" for number in range(120)]
    assert found.lost == (Reason("lost-videos", {"count": 130}),)
    assert youtube.count("browse") == 1  # the third piece of the list is not asked for


async def test_what_cannot_be_watched_and_what_stands_twice_is_left_out(
    youtube: FakeYoutube, redis: Redis, tmp_path: Path
) -> None:
    first, second, third, fourth = videos(4)
    hidden = ((second[0], "[Private video]"), (third[0], "[Deleted video]"))
    youtube.add(Playlist(LIST, videos=(first, *hidden, fourth, first)))
    found = await opened(youtube, redis, tmp_path, limit=50)
    assert [member.title for member in found.members] == ["Лекция 0", "Лекция 3"]
    assert found.lost == (Reason("lost-videos", {"count": 2}),)


async def test_a_list_of_nothing_is_said(youtube: FakeYoutube, redis: Redis, tmp_path: Path) -> None:
    youtube.add(Playlist(LIST, videos=(("video000000", "[Deleted video]"),)))
    with pytest.raises(UserError, match="youtube-list-empty"):
        await opened(youtube, redis, tmp_path, limit=50)


@pytest.mark.parametrize("alert", ["The playlist does not exist.", "This playlist is private."])
async def test_a_closed_list_is_said(youtube: FakeYoutube, redis: Redis, tmp_path: Path, alert: str) -> None:
    youtube.add(Playlist(LIST, alert=alert))
    with pytest.raises(UserError, match="youtube-list-private"):
        await opened(youtube, redis, tmp_path, limit=50)


async def test_a_link_that_names_no_list_is_said(youtube: FakeYoutube, redis: Redis, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="youtube-not-a-video"):
        await opened(youtube, redis, tmp_path, limit=50, list_id="%20")
    assert youtube.asked == []


async def test_y2_a_site_that_refuses_opens_the_breaker_of_lists(
    youtube: FakeYoutube, redis: Redis, tmp_path: Path
) -> None:
    youtube.add(Playlist(LIST, videos=videos(3)))
    youtube.mood = "429"
    for _ in range(3):
        with pytest.raises(TransientError, match="youtube-blocked"):
            await opened(youtube, redis, tmp_path, limit=50)
    before = len(youtube.asked)
    with pytest.raises(RateLimited):
        await opened(youtube, redis, tmp_path, limit=50)
    assert len(youtube.asked) == before
