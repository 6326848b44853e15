"""The way out: what it dials, what it refuses, and whom it serves."""

import asyncio
import socket

import httpx2
import pytest

from core.adapters.web.egress import Egress
from core.adapters.web.lease import USER, Lease
from tests.fakes.website import SITE, Internet
from tests.integration.web.conftest import Web


def client(lease: Lease, password: str = "") -> httpx2.AsyncClient:
    proxy = httpx2.Proxy(lease.proxy, auth=(USER, password or lease.password))
    return httpx2.AsyncClient(proxy=proxy, trust_env=False, timeout=10)


async def raw(egress: Egress, request: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(egress.address.rpartition(":")[2]))
    writer.write(request)
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def test_a_public_page_passes_and_the_site_sees_nothing_of_the_proxy(web: Web) -> None:
    url = web.internet.page("http://site.test/plain", "hello")

    with web.egress.lease(1000) as lease:
        async with client(lease) as http:
            answer = await http.get(url)

    assert answer.text == "hello"
    assert not any("proxy" in name for name in web.internet.headers[url])
    assert web.internet.headers[url]["host"] == "site.test"
    assert web.internet.dialled == [(SITE, 80)]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "localhost", "[::1]", "[::ffff:127.0.0.1]",
     "169.254.169.254", "[::ffff:a9fe:a9fe]", "10.0.0.1", "[fd00:ec2::254]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]"],
)  # fmt: skip
async def test_w1_no_spelling_of_a_private_address_is_dialled(web: Web, host: str) -> None:
    with web.egress.lease(1000) as lease:
        get = f"GET http://{host}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: {lease.header.decode()}\r\n\r\n"
        connect = f"CONNECT {host}:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: {lease.header.decode()}\r\n\r\n"

        answers = [await raw(web.egress, request.encode()) for request in (get, connect)]

        assert [answer.split(b"\r\n")[0] for answer in answers] == [b"HTTP/1.1 403 "] * 2
        assert lease.why_not(host) == "private"
    assert web.internet.dialled == []


async def test_w1_a_name_with_one_private_address_among_public_ones_is_refused(web: Web) -> None:
    web.internet.name("mixed.test", [SITE, "127.0.0.1"])

    with web.egress.lease(1000) as lease:
        async with client(lease) as http:
            answer = await http.get("http://mixed.test/")

    assert answer.status_code == 403
    assert web.internet.dialled == []


async def test_w1_a_name_that_changes_its_mind_is_dialled_where_it_was_checked(web: Web) -> None:
    web.internet.name("rebind.test", [SITE], ["127.0.0.1"])
    web.internet.page("http://rebind.test/", "outside")

    with web.egress.lease(1000) as lease:
        async with client(lease) as http:
            first, second = await http.get("http://rebind.test/"), await http.get("http://rebind.test/")

    assert (first.text, second.status_code) == ("outside", 403)
    assert web.internet.dialled == [(SITE, 80)]


@pytest.mark.parametrize("port", [22, 25, 5432, 6379])
async def test_only_ports_of_the_web_are_dialled(web: Web, port: int) -> None:
    with web.egress.lease(1000) as lease:
        async with client(lease) as http:
            answer = await http.get(f"http://site.test:{port}/")

    assert answer.status_code == 403


async def test_nobody_without_the_password_of_a_living_lease_is_served(web: Web) -> None:
    url = web.internet.page("http://site.test/plain", "hello")
    with web.egress.lease(1000) as lease:
        async with client(lease, "guessed") as http:
            guessed = await http.get(url)
        no_password = await raw(web.egress, b"GET http://site.test/plain HTTP/1.1\r\nHost: site.test\r\n\r\n")

    async with client(lease) as http:
        too_late = await http.get(url)

    assert (guessed.status_code, too_late.status_code) == (407, 407)
    assert no_password.startswith(b"HTTP/1.1 407")
    assert web.internet.requests == []


async def test_a_tunnel_carries_bytes_both_ways(web: Web) -> None:
    web.internet.page("http://site.test:8080/plain", "through the tunnel")
    with web.egress.lease(10_000) as lease:
        connect = f"CONNECT site.test:8080 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: {lease.header.decode()}\r\n\r\n"
        inner = "GET /plain HTTP/1.1\r\nHost: site.test:8080\r\nConnection: close\r\n\r\n"

        answer = await raw(web.egress, (connect + inner).encode())

    assert answer.startswith(b"HTTP/1.1 200 Connection established")
    assert answer.endswith(b"through the tunnel")


async def test_a_lease_that_is_used_up_cuts_the_connection(web: Web) -> None:
    url = web.internet.page("http://site.test/long", "x" * 100_000)

    with web.egress.lease(50_000) as lease:
        async with client(lease) as http:
            with pytest.raises(httpx2.RemoteProtocolError):
                await http.get(url)

        assert lease.exhausted


async def test_the_end_of_a_lease_cuts_what_still_flows(web: Web) -> None:
    async with Internet() as internet, Egress(internet.resolve, internet.dial) as egress:
        with egress.lease(10_000) as lease:
            connect = (
                f"CONNECT site.test:80 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: {lease.header.decode()}\r\n\r\n"
            )
            reader, writer = await asyncio.open_connection("127.0.0.1", int(egress.address.rpartition(":")[2]))
            writer.write(connect.encode())
            await reader.readuntil(b"\r\n\r\n")

        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()


@pytest.mark.parametrize(
    "request_line",
    [b"GET /relative HTTP/1.1", b"GET https://site.test/ HTTP/1.1", b"GET file:///etc/passwd HTTP/1.1",
     b"GET http://a:b@site.test/ HTTP/1.1", b"CONNECT site.test HTTP/1.1", b"CONNECT a@site.test:443 HTTP/1.1",
     b"GET http://site.test:99999/ HTTP/1.1"],
)  # fmt: skip
async def test_what_is_no_request_to_a_proxy_is_refused(web: Web, request_line: bytes) -> None:
    with web.egress.lease(1000) as lease:
        head = b"\r\nHost: x\r\nProxy-Authorization: " + lease.header + b"\r\n\r\n"

        answer = await raw(web.egress, request_line + head)

    assert answer.startswith(b"HTTP/1.1 400")
    assert web.internet.dialled == []


async def test_a_head_without_end_is_cut(web: Web) -> None:
    answer = await raw(web.egress, b"GET http://site.test/ HTTP/1.1\r\n" + b"X: " + b"y" * 200_000)

    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")


async def test_a_name_server_that_fails_is_told_from_a_name_that_does_not_exist() -> None:
    async def busy(_host: str, _port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_AGAIN, "busy")

    async with Internet() as internet:
        async with Egress(busy, internet.dial) as egress:
            with egress.lease(1000) as lease:
                async with client(lease) as http:
                    answer = await http.get("http://site.test/")

    assert (answer.status_code, lease.why_not("site.test")) == (502, "unreachable")
