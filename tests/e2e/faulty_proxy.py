#!/usr/bin/env python3
"""Stands between clients and a server and treats their connections badly.

    faulty_proxy.py TARGET_PORT SEED

Bytes come late and in pieces; connections are cut with bytes on their way, in the middle of frames and
handshakes too; some fall silent for a while before they break, as they do when a phone leaves the house. What
arrives arrives in order and unchanged: that much TCP promises. Prints the port it listens on.
"""
import asyncio
import random
import sys

CUT_ONE_IN = 300       # pieces
SILENT_ONE_IN = 1000   # pieces
SECONDS_OF_SILENCE = 2
LATE_ONE_IN = 20       # pieces
SECONDS_LATE = 0.2
SMALLEST_PIECE, LARGEST_PIECE = 1, 2000


class Link:
    """One connection of a client and its other half to the server."""

    def __init__(self, chance, writers):
        self.chance = chance
        self.writers = writers

    def cut(self):
        for writer in self.writers:
            writer.transport.abort()

    async def pass_on(self, reader, writer):
        while data := await reader.read(self.chance.randint(SMALLEST_PIECE, LARGEST_PIECE)):
            if self.chance.randrange(LATE_ONE_IN) == 0:
                await asyncio.sleep(self.chance.random() * SECONDS_LATE)
            if self.chance.randrange(SILENT_ONE_IN) == 0:
                await asyncio.sleep(SECONDS_OF_SILENCE)
                return self.cut()
            if self.chance.randrange(CUT_ONE_IN) == 0:
                writer.write(data[: len(data) // 2])
                await writer.drain()
                return self.cut()
            writer.write(data)
            await writer.drain()
        writer.close()


async def serve(target, seed):
    chance = random.Random(seed)

    async def connected(reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            return writer.transport.abort()  # the server is away
        link = Link(chance, (writer, far_writer))
        ways = link.pass_on(reader, far_writer), link.pass_on(far_reader, writer)
        await asyncio.gather(*ways, return_exceptions=True)
        link.cut()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    print(f"passing on from 127.0.0.1:{server.sockets[0].getsockname()[1]} ", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), int(sys.argv[2])))
