"""One parser for all addresses of videos and playlists."""

import string
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.errors import UserError
from core.library.links import parse_link
from core.library.youtube_links import YoutubeLink, parse_youtube
from core.model.source import SourceKind

ID = "dQw4w9WgXcQ"
WATCH = f"https://www.youtube.com/watch?v={ID}"
LIST = "PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf"

IDS = st.text(string.ascii_letters + string.digits + "_-", min_size=11, max_size=11)
HOSTS = st.sampled_from(["youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "YouTube.COM"])
SHAPES = st.sampled_from(["/watch?v={id}&", "/shorts/{id}?", "/live/{id}?", "/embed/{id}?", "/v/{id}?", "/e/{id}?"])
PARAMETERS = st.dictionaries(
    st.sampled_from(["si", "feature", "pp", "ab_channel", "index", "list", "app", "utm_source"]), st.text(max_size=12)
)


@pytest.mark.parametrize(
    "address",
    [
        WATCH,
        f"http://youtube.com/watch?v={ID}",
        f"https://www.youtube.com/watch/?feature=shared&v={ID}&ab_channel=x",
        f"https://m.youtube.com/watch?v={ID}&pp=ygUE",
        f"https://music.youtube.com/watch?v={ID}&si=abc",
        f"https://youtu.be/{ID}",
        f"https://youtu.be/{ID}?si=Zx-1_q",
        f"https://youtu.be/{ID}&t=10",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://youtube.com/live/{ID}?feature=share",
        f"https://www.youtube.com/embed/{ID}?start=30",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://www.youtube.com/v/{ID}?version=3",
        f"https://www.youtube.com/WATCH?v={ID}",
        f"https://www.youtube.com./watch?v={ID}",
        f"https://www.youtube.com:443/watch?v={ID}",
        f"https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D{ID}%26feature%3Dshare",
        f"https://www.youtube.com/redirect?event=x&q={quote(WATCH, safe='')}",
        f"https://consent.youtube.com/m?continue={quote(WATCH + '&cbrd=1', safe='')}&gl=DE",
        f"  {WATCH}\n",
    ],
)
def test_y4_all_addresses_of_a_video_are_one(address: str) -> None:
    link = parse_youtube(address)
    assert link is not None
    assert (link.video_id, link.canonical, link.is_playlist) == (ID, WATCH, False)


@pytest.mark.parametrize(
    ("end", "start_s"),
    [
        ("t=90", 90),
        ("t=90s", 90),
        ("t=1m30s", 90),
        ("t=1h2m3s", 3723),
        ("t=2h", 7200),
        ("t=1:30", 90),
        ("t=1:02:03", 3723),
        ("t=90.5", 90),
        ("time_continue=7", 7),
        ("start=8", 8),
        ("t=soon", 0),
        ("t=", 0),
        ("t=-5", 0),
        ("t=99999999999999999999", 0),
    ],
)
def test_y4_a_playlist_and_a_time_are_kept_beside_the_video(end: str, start_s: int) -> None:
    link = parse_youtube(f"{WATCH}&list={LIST}&index=4&{end}")
    assert link == YoutubeLink(ID, LIST, start_s)
    assert link.canonical == WATCH


def test_y4_a_time_may_stand_behind_the_hash() -> None:
    assert parse_youtube(f"{WATCH}#t=2m") == YoutubeLink(ID, start_s=120)


@pytest.mark.parametrize(
    "address",
    [
        f"https://www.youtube.com/playlist?list={LIST}",
        f"https://m.youtube.com/playlist?list={LIST}&si=x",
        f"https://www.youtube.com/embed/videoseries?list={LIST}",
        f"https://www.youtube.com/watch?list={LIST}",
    ],
)
def test_y4_a_list_without_a_video_is_a_playlist(address: str) -> None:
    link = parse_link(address)
    assert (link.kind, link.canonical) == (SourceKind.PLAYLIST, f"https://www.youtube.com/playlist?list={LIST}")


@pytest.mark.parametrize(
    "address",
    [
        f"https://youtu.be/{ID[:-1]}",
        f"https://youtu.be/{ID}x",
        "https://youtu.be/",
        "https://www.youtube.com/watch",
        "https://www.youtube.com/watch?v=",
        "https://www.youtube.com/watch?v=короткий-ид",
        "https://www.youtube.com/shorts/abc",
        "https://www.youtube.com/live/",
        f"https://www.youtube.com/embed/{ID[:5]}%2F{ID[5:]}",
        "https://www.youtube.com/embed/live_stream?channel=UCaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_y4_an_invalid_id_is_said(address: str) -> None:
    with pytest.raises(UserError, match="youtube-bad-id"):
        parse_youtube(address)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/@lecturer",
        "/channel/UCaaaaaaaaaaaaaaaaaaaaaa",
        "/c/Name",
        "/user/name/videos",
        "/feed/trending",
        "/results?search_query=x",
        "/playlist",
        "/playlist?list=%20",
        "/clip/UgkxU2HSeGL",
        "/post/Ugkx",
        f"/{ID}",
        "/redirect?q=",
        "/attribution_link?a=1",
    ],
)
def test_y4_other_pages_of_youtube_are_no_videos(path: str) -> None:
    with pytest.raises(UserError, match="youtube-not-a-video"):
        parse_youtube(f"https://www.youtube.com{path}")


@pytest.mark.parametrize(
    "address",
    [
        f"https://youtube.com.evil.example/watch?v={ID}",
        f"https://notyoutube.com/watch?v={ID}",
        f"https://www.youtube.com@evil.example/watch?v={ID}",
        f"https://evil.example/www.youtube.com/watch?v={ID}",
        f"https://evil.example/?u={WATCH}",
        f"https://youtu.be.evil.example/{ID}",
        f"https://xyoutu.be/{ID}",
        f"https://youtubе.com/watch?v={ID}",  # a Cyrillic letter
        f"javascript://www.youtube.com/watch?v={ID}",
        f"ftp://www.youtube.com/watch?v={ID}",
        f"https://[www.youtube.com/watch?v={ID}",
        ID,
        "",
    ],
)
def test_y4_look_alikes_are_not_youtube(address: str) -> None:
    assert parse_youtube(address) is None


def test_y4_a_detour_to_another_site_is_not_a_video() -> None:
    assert parse_youtube("https://www.youtube.com/redirect?q=https%3A%2F%2Fexample.org%2Fpaper.pdf") is None


def test_y4_detours_without_end_are_not_followed() -> None:
    address = WATCH
    for _ in range(10):
        address = f"https://www.youtube.com/redirect?q={quote(address, safe='')}"
    with pytest.raises(UserError, match="youtube-not-a-video"):
        parse_youtube(address)


@given(IDS, HOSTS, SHAPES, PARAMETERS)
def test_y4_any_id_in_any_shape_with_any_parameters_is_found(
    video_id: str, host: str, shape: str, parameters: dict[str, str]
) -> None:
    assume(video_id != "live_stream")  # of a channel, whatever is on
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in parameters.items())
    link = parse_youtube(f"https://{host}{shape.format(id=video_id)}{query}")
    assert link is not None
    assert link.video_id == video_id
    assert parse_youtube(link.canonical) == YoutubeLink(video_id)


@given(st.text(max_size=80))
def test_y4_no_path_breaks_the_parser(path: str) -> None:
    told = ""
    try:
        link = parse_youtube(f"https://www.youtube.com/{path}")
    except UserError as error:
        told, link = error.text_key, None
    assert told in ("", "youtube-bad-id", "youtube-not-a-video")
    assert link is None or len(link.video_id) in (0, 11)


@given(st.integers(0, 99), st.integers(0, 59), st.integers(0, 59))
def test_y4_every_spelling_of_a_time_is_the_same(hours: int, minutes: int, seconds: int) -> None:
    total = hours * 3600 + minutes * 60 + seconds
    for written in (f"{hours}h{minutes}m{seconds}s", f"{total}", f"{total}s", f"{hours}:{minutes:02}:{seconds:02}"):
        link = parse_youtube(f"{WATCH}&t={written}")
        assert link is not None
        assert link.start_s == total
