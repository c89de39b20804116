"""A Landsraad player that picks its actions at random, as an example for authors of clients.

It knows nothing of the game and of the protocol only what proto/README.md says. It takes a seat, plays,
keeps its view by folding diffs, compares it with a snapshot now and then, and comes back after every broken
connection; with --cut it breaks some itself. The last line it prints is the result, as JSON.

    protoc -I proto --python_out=generated landsraad/v1/{catalogue,game,protocol,record}.proto
    PYTHONPATH=generated python3 tests/interop/python/client.py --server ws://127.0.0.1:8080 --name Chani
"""
import argparse
import asyncio
import hashlib
import json
import random
import sys
import time

import websockets
from landsraad.v1 import game_pb2 as game
from landsraad.v1 import protocol_pb2 as protocol

PATIENCE = 60           # seconds without a server after which the client gives up
RETRY_AFTER = 0.25      # seconds until it tries to connect again
AGAIN = {protocol.ERROR_CODE_BUSY, protocol.ERROR_CODE_STORAGE_UNAVAILABLE}
# Somebody was faster, or the server is about to close the connection: what comes next brings us up to date.
HARMLESS = {protocol.ERROR_CODE_STALE_DECISION, protocol.ERROR_CODE_NOT_YOUR_DECISION,
            protocol.ERROR_CODE_ALREADY_STARTED, protocol.ERROR_CODE_NOT_READY,
            protocol.ERROR_CODE_SHUTTING_DOWN}
KEYED = ("seats", "spaces", "posts")


def fold(view, changes):
    """Carries the changes of one diff into a view."""
    for field, value in changes.ListFields():
        if field.name in KEYED:
            for change in value:
                fold(next(part for part in getattr(view, field.name) if part.id == change.id), change)
        elif field.message_type:
            getattr(view, field.name).CopyFrom(value)
        else:
            setattr(view, field.name, value)


class Player:
    def __init__(self, options):
        self.options = options
        self.room, self.player_token = options.room, ""  # a client for people keeps both on disk
        self.state = protocol.RoomState()
        self.view, self.version = game.GameView(), None
        self.decision = None
        self.counts = {"actions": 0, "connections": 0, "cuts": 0, "diffs": 0, "snapshots_compared": 0}

    def is_over(self):
        return self.state.status == protocol.ROOM_STATUS_OVER and self.view.phase == game.PHASE_OVER

    async def play(self):
        """Plays until the game is over, over as many connections as it takes."""
        last_heard = time.monotonic()
        while not self.is_over():
            try:
                await self.play_connection()
                last_heard = time.monotonic()
            except (OSError, asyncio.TimeoutError, websockets.WebSocketException) as reason:
                if time.monotonic() - last_heard > PATIENCE:
                    sys.exit(f"no server at {self.options.server}: {reason}")
            await asyncio.sleep(RETRY_AFTER)

    async def play_connection(self):
        """Plays until this connection ends or the game is over."""
        async with websockets.connect(self.options.server, subprotocols=["landsraad.v1"]) as self.socket:
            self.counts["connections"] += 1
            self.last_id, self.unanswered = 0, {}
            self.answered_version = None  # of the decision this connection has answered
            await self.ask(hello=protocol.Hello(
                name=self.options.name, client="landsraad-example-python/1", player_token=self.player_token))
            try:
                async for frame in self.socket:
                    message = protocol.ServerMessage.FromString(frame)
                    message.DiscardUnknownFields()
                    await self.receive(message)
                    if self.is_over():
                        return
            except websockets.ConnectionClosed:
                pass  # we come back

    async def ask(self, **body):
        self.last_id += 1
        self.unanswered[self.last_id] = body
        await self.socket.send(protocol.ClientMessage(request_id=self.last_id, **body).SerializeToString())

    async def receive(self, message):
        """A message is handled by what is in it, asked for or not."""
        request = self.unanswered.pop(message.reply_to, None)
        kind = message.WhichOneof("body")
        if kind == "error":
            await self.on_error(message.error, request)
        elif kind == "welcome":
            self.player_token = message.welcome.player_token or self.player_token
            await self.enter()
        elif kind == "room":
            await self.on_room(message.room)
        elif kind == "room_joined":
            await self.on_joined(message.room_joined)
        elif kind == "seat_taken":
            await self.ask(ready=protocol.Ready(ready=True))
        elif kind == "game":
            await self.on_game(message.game)
        elif kind == "room_left":
            sys.exit("the server has closed the room")

    async def on_error(self, error, request):
        if error.code in AGAIN and request:
            await asyncio.sleep(1)
            await self.ask(**request)
        elif error.code not in HARMLESS:
            sys.exit(f"{protocol.ErrorCode.Name(error.code)}: {error.message}")

    async def enter(self):
        if self.room:
            await self.ask(join_room=protocol.JoinRoom(room=self.room, held_version=self.version))
        else:
            options = protocol.RoomOptions(title=self.options.name)
            await self.ask(create_room=protocol.CreateRoom(options=options))

    async def on_joined(self, joined):
        if not self.room:
            self.room = joined.room.room
            print(f"room {self.room}", flush=True)
        await self.on_room(joined.room)
        if joined.HasField("game"):
            await self.on_game(joined.game)
        if not joined.HasField("seat"):
            await self.ask(take_seat=protocol.TakeSeat())
        elif joined.room.status == protocol.ROOM_STATUS_LOBBY:
            await self.ask(ready=protocol.Ready(ready=True))

    async def on_room(self, state):
        self.state = state
        everybody = all(seat.taken and seat.ready for seat in state.seats)
        if not self.options.room and state.status == protocol.ROOM_STATUS_LOBBY and everybody:
            await self.ask(start_game=protocol.StartGame())  # the one who opened the room begins

    async def on_game(self, update):
        if update.HasField("snapshot"):
            self.take_snapshot(update.snapshot)
        for diff in update.diffs:
            if diff.version - 1 != self.version:
                return await self.ask(resync=protocol.Resync())
            fold(self.view, diff.changes)
            self.version = diff.version
            self.counts["diffs"] += 1
        self.decision = update.decision if update.HasField("decision") else None
        if update.diffs and random.random() < self.options.compare:
            await self.ask(resync=protocol.Resync())
        await self.act()
        if random.random() < self.options.cut:
            self.counts["cuts"] += 1
            self.socket.transport.abort()  # whether the last action has arrived, the next connection tells

    def take_snapshot(self, snapshot):
        """Replaces the view; of the same version it must be what the diffs have made of ours."""
        if snapshot.version == self.version:
            self.counts["snapshots_compared"] += 1
            if snapshot.view.SerializeToString() != self.view.SerializeToString():
                sys.exit(f"version {self.version}: folded\n{self.view}\nis not the snapshot\n{snapshot.view}")
        self.view.CopyFrom(snapshot.view)
        self.version = snapshot.version

    async def act(self):
        if self.decision and self.decision.version != self.answered_version:
            self.answered_version = self.decision.version
            self.counts["actions"] += 1
            await self.ask(act=protocol.Act(
                version=self.decision.version, action=random.choice(self.decision.actions)))

    def result(self):
        standings = [{"seat": seat.id, "name": self.state.seats[seat.id].name, "place": seat.place,
                      "victory_points": seat.victory_points} for seat in self.view.seats]
        fair = hashlib.sha256(self.state.seed).digest() == self.state.seed_commitment
        return {"standings": standings, "version": self.version, "seed_as_committed": fair, **self.counts}


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--server", default="ws://127.0.0.1:8080")
    arguments.add_argument("--name", default="Random")
    arguments.add_argument("--room", default="", help="join this room; without it, open one of four seats")
    arguments.add_argument("--compare", type=float, default=0.05, help="share of updates checked by a snapshot")
    arguments.add_argument("--cut", type=float, default=0, help="share of updates after which it hangs up")
    player = Player(arguments.parse_args())
    asyncio.run(player.play())
    print(json.dumps(player.result(), ensure_ascii=False), flush=True)
