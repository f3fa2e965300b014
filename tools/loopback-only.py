# SPDX-License-Identifier: Apache-2.0
"""Brings loopback up in a new network namespace and runs a command there.

    unshare -n python3 tools/loopback-only.py COMMAND [ARGUMENT ...]

What runs inside can reach 127.0.0.1 and nothing else: a call that leaves the machine fails [TST-2].
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys

SIOCGIFFLAGS = 0x8913
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1
LOOPBACK = "lo"
INTERFACE_REQUEST = "16sh22x"


def interface_flags(control: socket.socket, name: str) -> int:
    """Returns the flags of a network interface."""
    request = struct.pack(INTERFACE_REQUEST, name.encode(), 0)
    return int(struct.unpack(INTERFACE_REQUEST, fcntl.ioctl(control, SIOCGIFFLAGS, request))[1])


def main() -> None:
    """Refuses to run where another interface is up: there the command could reach other machines."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        names = [name for _, name in socket.if_nameindex()]
        if any(interface_flags(control, name) & IFF_UP for name in names if name != LOOPBACK):
            sys.exit("loopback-only: other networks are reachable here; start it by unshare -n")
        # As `ip link set lo up` does, without needing that program.
        flags = interface_flags(control, LOOPBACK) | IFF_UP
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack(INTERFACE_REQUEST, LOOPBACK.encode(), flags))
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
