"""Tries to reach the network and local servers, then plays on."""
import socket, sys

port = int(sys.argv[1])


def tcp(family, address):
    socket.socket(family, socket.SOCK_STREAM).connect((address, port))


def udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port))


attempts = {
    "tcp": lambda: tcp(socket.AF_INET, "127.0.0.1"),
    "tcp6": lambda: tcp(socket.AF_INET6, "::1"),
    "udp": udp,
    "server": lambda: socket.create_server(("127.0.0.1", 0)),
    "unix": lambda: socket.socket(socket.AF_UNIX).connect("/run/docker.sock"),
    "raw": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
}
for line in sys.stdin:
    for name, attempt in attempts.items():
        try:
            attempt()
            print("DONE", name, file=sys.stderr)
        except Exception as error:
            print("refused", name, error, file=sys.stderr)
    print(line.rstrip("\n").split(" | ")[3].split()[0], flush=True)
