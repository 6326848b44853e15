"""Which addresses anybody may reach."""

import ipaddress

import pytest

from core.adapters.web.addresses import is_public

_CLOSED = """
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254
168.63.129.16 169.254.169.254 169.254.0.1 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1
192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:10::1 2001:20::1 2001:db8::1 2002:7f00:1::
2002:a9fe:a9fe::1 2002:c0a8:1::1 3fff::1 3ffe::1 5f00::1 fc00::1 fd00:ec2::254 fd00::1 fe80::1 fe80::1%eth0 fec0::1
ff02::1 ff0e::1 1::1 2001:0:7f00:1:0:0:f5ff:fffe
"""

_OPEN = """
1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 172.15.255.255 172.32.0.0 192.0.1.1
192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111 2a02:6b8::2:242 2001:4860:4860::8888
::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1
"""


@pytest.mark.parametrize("address", _CLOSED.split())
def test_w1_an_address_inside_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", _OPEN.split())
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "text", ["", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3", "::g", "1.2.3.4/8", "٣.1.1.1"]
)
def test_what_is_no_address_is_not_public(text: str) -> None:
    assert not is_public(text)


@pytest.mark.parametrize(
    "network", ["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "fe80::/10", "fc00::/7", "ff00::/8"]
)
def test_both_ends_of_a_closed_network_are_closed(network: str) -> None:
    whole = ipaddress.ip_network(network)

    assert not is_public(str(whole[0]))
    assert not is_public(str(whole[-1]))
