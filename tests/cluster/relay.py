"""relay.py LISTEN TARGET: a TCP proxy. Stopped with SIGSTOP it acts like a cut cable: silence, no reset."""
import socket
import sys
import threading


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client, target):
    with client:
        try:
            upstream = socket.create_connection(("127.0.0.1", target), 2)
        except OSError:
            return
        with upstream:
            upstream.settimeout(None)
            threading.Thread(target=pump, args=(client, upstream), daemon=True).start()
            pump(upstream, client)


def main(listen, target):
    with socket.create_server(("127.0.0.1", listen), backlog=64) as server:
        while True:
            client, _ = server.accept()
            threading.Thread(target=serve, args=(client, target), daemon=True).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
