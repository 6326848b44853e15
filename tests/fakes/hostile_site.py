"""Pages that mean harm, and the canary that sings when something inside was reached."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from aiohttp import web

from tests.fakes.website import Answer, Internet

ARTICLE = " ".join(
    "Озеро Байкал находится в южной части Восточной Сибири и считается самым глубоким на планете. "
    f"В нём сосредоточено около девятнадцати процентов пресной воды, и это утверждение номер {number}."
    for number in range(8)
)


@dataclass
class Canary:
    """A server on every address of this machine: nothing may ever come to it."""

    port: int = 0
    hits: list[str] = field(default_factory=list)
    sang: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, what: str) -> None:
        self.hits.append(what)
        self.sang.set()

    @property
    def hosts(self) -> list[str]:
        """Spellings of addresses that lead to it, as a page may write them."""
        return [
            "127.0.0.1", "localhost", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "[::1]",
            "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "localhost.", "127.0.0.2", "rebind.test", "mixed.test",
        ]  # fmt: skip


@asynccontextmanager
async def canary() -> AsyncIterator[Canary]:
    """Listen for connections of any kind, also for datagrams, on IPv4 and IPv6 where there is any."""
    bird = Canary()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = await reader.readline()
        bird.hear(line.decode("latin-1").strip() or "connected")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nAccess-Control-Allow-Origin: *\r\n\r\nsecret")
        writer.close()

    servers = [await asyncio.start_server(connected, "0.0.0.0", 0)]
    bird.port = servers[0].sockets[0].getsockname()[1]
    with suppress(OSError):  # a machine without IPv6
        servers.append(await asyncio.start_server(connected, "::1", bird.port))
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(lambda: _Datagrams(bird), local_addr=("127.0.0.1", bird.port))
    try:
        yield bird
    finally:
        transport.close()
        for each in servers:
            each.close()
            await each.wait_closed()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, bird: Canary) -> None:
        self.bird = bird

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.bird.hear(f"datagram of {len(data)} bytes")


def vectors(port: int, hosts: list[str]) -> dict[str, str]:
    """Give pages that reach for the canary, by the way they take."""
    first = f"127.0.0.1:{port}"
    every = [f"{host}:{port}" for host in hosts]
    addresses = ",".join(f"'http://{host}'" for host in every)
    return {
        "elements": "".join(
            f"<img src='http://{host}/img'><script src='http://{host}/script.js'></script>"
            f"<link rel=stylesheet href='http://{host}/style.css'><iframe src='http://{host}/frame'></iframe>"
            f"<object data='http://{host}/object'></object><embed src='http://{host}/embed'>"
            f"<video src='http://{host}/video' autoplay></video><link rel=icon href='http://{host}/icon'>"
            for host in every
        ),
        "hints": "".join(
            f"<link rel=prefetch href='http://{host}/prefetch'><link rel=preconnect href='http://{host}'>"
            f"<link rel=preload as=script href='http://{host}/preload.js'><link rel=prerender href='http://{host}/pre'>"
            f"<link rel=modulepreload href='http://{host}/module.js'><link rel=dns-prefetch href='http://{host}'>"
            f"<link rel=manifest href='http://{host}/manifest.json'>"
            for host in every
        )
        + "<script type=speculationrules>{"
        + f'"prefetch":[{{"source":"list","urls":["http://{first}/spec"]}}],'
        + f'"prerender":[{{"source":"list","urls":["http://{first}/spec2"]}}]}}</script>',
        "requests": f"<script>for (const a of [{addresses}]) {{ fetch(a+'/fetch',{{mode:'no-cors'}}).catch(()=>0);"
        "navigator.sendBeacon(a+'/beacon','x'); const x=new XMLHttpRequest(); x.open('GET',a+'/xhr'); x.send();"
        "new Image().src=a+'/image'; import(a+'/dynamic.js').catch(()=>0);"
        "const f=document.createElement('form'); f.method='POST'; f.action=a+'/form'; f.target='_blank';"
        "document.documentElement.append(f); f.submit(); window.open(a+'/popup'); }</script>",
        "streams": f"<script>for (const a of [{addresses}]) {{ new EventSource(a+'/events');"
        "try{new WebSocket(a.replace('http','ws')+'/socket')}catch(e){}"
        "try{new WebSocket(a.replace('http','wss')+'/socket')}catch(e){}"
        "try{new WebTransport(a.replace('http','https')+'/transport')}catch(e){} }</script>",
        "rtc": f"<script>const c=new RTCPeerConnection({{iceServers:[{{urls:'stun:{first}'}},"
        f"{{urls:'turn:{first}?transport=tcp',username:'u',credential:'p'}},{{urls:'turn:{first}?transport=udp',"
        "username:'u',credential:'p'}]});c.createDataChannel('x');"
        "c.createOffer().then(o=>c.setLocalDescription(o));"
        "const d=new RTCPeerConnection();"
        f"d.setRemoteDescription({{type:'offer',sdp:'v=0\\r\\no=- 1 1 IN IP4 127.0.0.1\\r\\ns=-\\r\\nt=0 0\\r\\n"
        f"m=application 9 UDP/DTLS/SCTP webrtc-datachannel\\r\\nc=IN IP4 127.0.0.1\\r\\na=ice-ufrag:abcd\\r\\n"
        f"a=ice-pwd:abcdefghijklmnopqrstuvwx\\r\\na=fingerprint:sha-256 {':'.join(['AB'] * 32)}\\r\\n"
        "a=setup:actpass\\r\\n"
        f"a=mid:0\\r\\na=sctp-port:5000\\r\\na=candidate:1 1 udp 2130706431 127.0.0.1 {port} typ host\\r\\n'}})"
        ".then(()=>d.createAnswer()).then(a=>d.setLocalDescription(a)).catch(()=>0);</script>",
        "styles": f"<style>@import url(http://{first}/import.css);body{{background:url(http://{first}/bg.png)}}"
        f"@font-face{{font-family:x;src:url(http://{first}/font.woff2)}}p{{font-family:x}}</style><p>x</p>",
        "workers": "<script>const w=new Worker(URL.createObjectURL(new Blob([`"
        f"fetch('http://{first}/worker',{{mode:'no-cors'}}).catch(()=>0);"
        f"try{{importScripts('http://{first}/imported.js')}}catch(e){{}}"
        f"try{{new WebSocket('ws://{first}/workersocket')}}catch(e){{}}`])));"
        "navigator.serviceWorker&&navigator.serviceWorker.register('/sw.js').catch(()=>0);"
        "try{new SharedWorker('/shared.js')}catch(e){}</script>",
        "frames": f"<iframe srcdoc=\"<img src='http://{first}/srcdoc'><script>fetch('http://{first}/srcdoc2')</script>\">"
        f"</iframe><iframe src=\"data:text/html,<img src='http://{first}/data'>\"></iframe>"
        f"<iframe src='http://site.test/bounce'></iframe><script src='http://site.test/bounce'></script>"
        f"<iframe src='file:///etc/passwd'></iframe><iframe src='ftp://{first}/'></iframe>",
        "refresh": f"<meta http-equiv=refresh content='0;url=http://{first}/refresh'>",
        "location": f"<script>location.href='http://{first}/location'</script>",
        "login": f"<script>location.href='http://user:password@{first}/credentials'</script>",
    }


def put_hostile_pages(internet: Internet, bird: Canary) -> dict[str, str]:
    """Put every vector on the site and return their addresses by name."""
    inside = f"http://127.0.0.1:{bird.port}"
    internet.page("http://site.test/bounce", _redirect_to(f"{inside}/bounced"))
    worker = f"fetch('{inside}/sw',{{mode:'no-cors'}}).catch(()=>0)"
    for name in ("sw", "shared"):
        internet.page(f"http://site.test/{name}.js", worker, content_type="application/javascript")
    pages = vectors(bird.port, bird.hosts)
    return {
        name: internet.page(f"http://site.test/vector/{name}", f"<!doctype html><p>{ARTICLE}</p>{body}")
        for name, body in pages.items()
    }


def _redirect_to(location: str) -> Answer:
    async def answer(_request: web.BaseRequest) -> web.StreamResponse:
        return web.Response(status=302, headers={"Location": location})

    return answer


def endless(internet: Internet, start: str) -> Answer:
    """Begin a page and never end it."""

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html; charset=utf-8"})
        await response.prepare(request)
        await response.write(start.encode())
        await internet.stopping.wait()
        return response

    return answer


def huge(megabytes: int, *, packed: bool = False, content_type: str = "text/html") -> Answer:
    """Answer so many megabytes; packed, they are a bomb of a thousandth of that."""
    piece = b"<p>" + b"a" * (1024 * 1024 - 7) + b"</p>"

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        headers = {"Content-Type": content_type} | ({"Content-Encoding": "gzip"} if packed else {})
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        packer = zlib.compressobj(1, wbits=31)
        for _ in range(megabytes):
            await response.write(packer.compress(piece) if packed else piece)
        if packed:
            await response.write(packer.flush())
        return response

    return answer
