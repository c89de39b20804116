#!/usr/bin/env python3
"""Plays against a built image, the way an operator would run it.

    play_image.py --image NAME --newer NAME [--engine docker|buildah] [--storage FOLDER]

From the image itself come the server, four bots, backups and the checks of what is stored. In the middle of a game the
server is killed, started again, backed up, replaced by the newer image and that by the older one again; the bots stay
and finish. Then the backup goes into a fresh volume and its game is finished as well. `tools/dev image-test` builds
both images and calls this.
"""
import argparse
import contextlib
import os
import pathlib
import random
import re
import shutil
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request

from engines import Buildah, Docker

MOST_BYTES = 150_000_000
SECONDS_TO_START = 60
SECONDS_FOR_A_GAME = 300
THINK = "10"            # ms of a bot for each action, so that the game outlasts what happens to it
ACTIONS_IN_BETWEEN = 60  # that are played between two events
DATABASE = "/data/landsraad.sqlite"


class Failure(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Failure(what)


def free_port():
    """Below those that the kernel gives to clients: a bot that calls a server which is gone could get its port."""
    while True:
        port = random.randrange(21000, 32000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Stage:
    """An engine, an image, two ports, and what the containers printed."""

    def __init__(self, engine):
        self.engine, self.started = engine, time.monotonic()
        self.port, self.metrics_port = free_port(), free_port()
        self.containers = []

    def say(self, text):
        print(f"{time.monotonic() - self.started:6.1f} s  {text}", flush=True)

    def start(self, name, image, volumes, **rest):
        container = self.engine.start(image, volumes, **rest)
        self.containers.append((name, container))
        return container

    def run(self, name, image, volumes, command, *arguments):
        """What a command that ends well prints."""
        container = self.start(name, image, volumes, command=command, arguments=arguments)
        code = container.wait()
        require(code == 0, f"{name} ended with exit code {code}: {container.output()}")
        return container.output()

    def server(self, name, image, volume, variables=None):
        """A server that answers."""
        variables = {"LANDSRAAD_ADDRESS": "127.0.0.1", "LANDSRAAD_METRICS_PORT": self.metrics_port,
                     **(variables or {"LANDSRAAD_PORT": self.port})}
        server = self.start(name, image, {volume: "/data"}, variables=variables)
        end = time.monotonic() + SECONDS_TO_START
        while f"listening on ws://127.0.0.1:{self.port}" not in server.output():
            require(server.is_running() and time.monotonic() < end, f"{name} did not start: {server.output()}")
            time.sleep(0.1)
        require(server.execute(self.engine.configuration(image)[0]["Healthcheck"]["Test"][1:]) == 0,
                f"{name} is not healthy by its own check")
        return server

    def bots(self, name, image, volume, *how):
        return self.start(name, image, {volume: "/data"}, command="landsraad-bot", arguments=[
            "--url", f"ws://127.0.0.1:{self.port}", "--seats", "4", "--think", THINK, "--patience", "120",
            "--token-file", "/data/tokens", *how])

    def get(self, path):
        """(status, text)"""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def actions(self):
        """Played since the server started."""
        return int(re.search(r"^landsraad_actions_total (\d+)", self.get("/metrics")[1], re.MULTILINE).group(1))

    def wait_for_play(self, server, bots):
        end = time.monotonic() + SECONDS_FOR_A_GAME
        while self.actions() < ACTIONS_IN_BETWEEN:
            require(bots.is_running() and server.is_running(), f"play has ended: {bots.output()}{server.output()}")
            require(time.monotonic() < end, f"only {self.actions()} actions were played")
            time.sleep(0.1)

    def wait_for_end(self, bots):
        """The room whose game they have finished."""
        end = time.monotonic() + SECONDS_FOR_A_GAME
        while bots.is_running():
            require(time.monotonic() < end, f"the game did not end: {bots.output()}")
            time.sleep(0.2)
        require(bots.wait() == 0, f"the bots gave up: {bots.output()}")
        require("seed matches its commitment" in bots.output(), bots.output())
        return re.search(r"^room (\S+), round \d+, (\d+) actions", bots.output(), re.MULTILINE).groups()

    def stop_in_time(self, server):
        before = time.monotonic()
        code = server.stop()
        require(code == 0, f"SIGTERM: exit code {code}: {server.output()}")
        return time.monotonic() - before


# ---- The story ----------------------------------------------------------------------------------------


def check_configuration(stage, image):
    told, size = stage.engine.configuration(image)
    require(size < MOST_BYTES, f"the image has {size} bytes")
    require(re.fullmatch(r"[1-9]\d*(:[1-9]\d*)?", told["User"]), f"the image's user is {told['User']!r}")
    require("/data" in told["Volumes"], "the image has no volume /data")
    require(told["StopSignal"] == "SIGTERM", f"the image is stopped with {told['StopSignal']}")
    require(told["Healthcheck"]["Test"][0] == "CMD", "the image has no health check")
    version = told["Labels"]["org.opencontainers.image.version"]
    said = stage.run("version", image, {}, "landsraad-server", "--version").strip()
    require(said == f"landsraad {version}", f"labelled {version}, but it says {said}")
    stage.say(f"{image}: version {version}, {size / 1e6:.0f} MB, user {told['User']}")
    return version


def play(stage, image, newer, versions, volumes):
    """One game through a kill, a backup, an upgrade and a rollback."""
    games, tokens = volumes
    server = stage.server("server", image, games)
    for path in ("/healthz", "/readyz"):
        require(stage.get(path)[0] == 200, f"{path}: {stage.get(path)}")
    bots = stage.bots("bots", image, tokens, "--create")
    stage.wait_for_play(server, bots)
    stage.say("the game is on; health check, /healthz, /readyz and /metrics answer")

    server.kill()
    require(bots.is_running(), "the bots left when the server was killed")
    server = stage.server("server after kill -9", image, games)
    stage.wait_for_play(server, bots)
    stage.say("killed, started again: the game goes on")

    back_up(stage, image, games)
    seconds = stage.stop_in_time(server)
    stage.say(f"SIGTERM in the middle of the game: drained in {seconds:.1f} s, exit code 0")

    server = stage.server("newer server", newer, games)
    require(f'server="landsraad {versions[1]}"' in stage.get("/metrics")[1], "the newer image does not say so")
    stage.wait_for_play(server, bots)
    stage.stop_in_time(server)
    stage.say("upgraded: the game goes on")

    server = stage.server("older server", image, games)
    require(f'server="landsraad {versions[0]}"' in stage.get("/metrics")[1], "the older image does not say so")
    room, actions = stage.wait_for_end(bots)
    stage.stop_in_time(server)
    require(re.search(rf"^game {room}: \d+ entries, all as stored$", verify(stage, image, games), re.MULTILINE),
            f"the game of room {room} is not as it was played")
    stage.say(f"rolled back: the game ends after {actions} actions, and is stored as it was played")
    return room, int(actions)


def back_up(stage, image, games):
    stage.run("backup", image, {games: "/data"}, "landsraad-server", "--backup", "/data/backup.sqlite")
    stage.say("backed up from a second container while the server plays")


def verify(stage, image, volume):
    return stage.run("verification", image, {volume: "/data"}, "landsraad-replay", DATABASE, "--verify")


def play_on_from_backup(stage, image, volumes, room):
    """The backup in a fresh volume: the same people finish its game. The port comes from a file."""
    games, tokens = volumes
    fresh = stage.engine.new_volume("restored")
    stage.run("restore", image, {games: "/mnt", fresh: "/data"}, "bash", "-c", f"cat </mnt/backup.sqlite >{DATABASE}")
    stage.run("port file", image, {fresh: "/data"}, "bash", "-c", f"echo {stage.port} >/data/port")
    require("all as stored" in verify(stage, image, fresh), "the backup is damaged")
    server = stage.server("restored server", image, fresh, {"LANDSRAAD_PORT_FILE": "/data/port"})
    bots = stage.bots("bots of the backup", image, tokens, "--room", room)
    again, actions = stage.wait_for_end(bots)
    require(again == room, f"another room: {again}")
    stage.stop_in_time(server)
    stage.say(f"restored into a fresh volume, port from a file: the game of the backup ends after {actions} actions")


def refuse(stage, image, volume):
    """What must not start says why and exits."""
    def refusal(name, variables, code, words):
        server = stage.start(name, image, {volume: "/data"}, variables=variables)
        ended = server.wait()
        require(ended == code and words in server.output(), f"{name}: exit code {ended}: {server.output()}")
    refusal("bad option", {"LANDSRAAD_PORT_FILE": "/run/secrets/port"}, 2, "LANDSRAAD_PORT_FILE: cannot read the file")
    # PRAGMA user_version, as a server of the future would set it: four bytes at offset 60 of the file.
    stage.run("future", image, {volume: "/data"}, "bash", "-c",
              rf"printf '\000\000\003\347' | dd of={DATABASE} bs=1 seek=60 conv=notrunc status=none")
    refusal("older than the database", {"LANDSRAAD_PORT": stage.port}, 1, "layout 999, written by a newer version")
    stage.say("bad options and a database of a newer version are refused in one line")


def tell(stage):
    for name, container in stage.containers:
        print(f"---- {name} ----\n{container.output()[-3000:]}")


def read_arguments():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--image", required=True)
    arguments.add_argument("--newer", required=True)
    arguments.add_argument("--engine", choices=["docker", "buildah"], default="docker")
    arguments.add_argument("--docker", default="docker", help="the command of an engine that is like docker")
    arguments.add_argument("--storage", type=pathlib.Path, help="where docker/build-image keeps what buildah built")
    return arguments.parse_args()


def main():
    arguments = read_arguments()
    with contextlib.ExitStack() as stack:
        name = f"landsraad-test-{os.getpid()}"
        work = pathlib.Path(tempfile.mkdtemp(prefix=name))
        stack.callback(shutil.rmtree, work, ignore_errors=True)
        engine = Docker(name, arguments.docker.split()) if arguments.engine == "docker" else Buildah(arguments.storage, work)
        stack.callback(engine.clean_up)
        stage = Stage(engine)
        try:
            images = arguments.image, arguments.newer
            versions = [check_configuration(stage, image) for image in images]
            volumes = engine.new_volume("games"), engine.new_volume("tokens")
            room, _ = play(stage, *images, versions, volumes)
            play_on_from_backup(stage, arguments.image, volumes, room)
            refuse(stage, arguments.image, volumes[0])
        except Failure as failure:
            tell(stage)
            sys.exit(f"FAILED: {failure}")
    print("the image is well")


if __name__ == "__main__":
    main()
