#!/usr/bin/env python3
"""Plays a whole game of clients in three languages and compares what they report.

    run_interop.py --server FILE --bot FILE --protoc FILE --proto FOLDER --work FOLDER

At one table sit the Python client, the TypeScript client (both break their connections now and then) and two
seats of landsraad-bot. In the middle of the game the server is killed and started again. All must report the
same final standings. Messages are generated and the TypeScript client is built in the work folder; nothing is
installed outside of it.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
MESSAGES = [f"landsraad/v1/{name}.proto" for name in ("catalogue", "game", "protocol", "record")]
OLDEST_NODE = 18
SECONDS_TO_SIT_DOWN = 60
SECONDS_OF_PEACE = 1       # from the start of the game until the server is killed
SECONDS_FOR_A_GAME = 240   # of a server with sanitizers, on a busy machine
SECONDS_TO_STOP = 20
THINK = "10"               # ms of a bot for each action, so that the game outlasts the peace
CUT, COMPARE = "0.03", "0.05"


class Failure(Exception):
    pass


# ---- Preparing the clients ----------------------------------------------------------------------------


def run(command, folder):
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    if done.returncode:
        raise Failure(f"{' '.join(map(str, command))} failed:\n{done.stdout}")


def python_with_packages():
    """Debian's packages belong to Debian's Python, which need not be the first one in PATH."""
    for python in (sys.executable, "/usr/bin/python3"):
        if not subprocess.run([python, "-c", "import google.protobuf, websockets"], stderr=subprocess.DEVNULL).returncode:
            return python
    raise Failure("The Python client needs protobuf and websockets: apt-get install python3-protobuf python3-websockets")


def prepare_python(options):
    """Generates the messages. Returns the command that starts the client."""
    folder = options.work / "python"
    folder.mkdir(parents=True, exist_ok=True)
    run([options.protoc, "-I", options.proto, f"--python_out={folder}", *MESSAGES], folder)
    return ["env", f"PYTHONPATH={folder}", python_with_packages(), HERE / "python/client.py"]


def require_node():
    missing = [tool for tool in ("node", "npm") if not shutil.which(tool)]
    if missing:
        raise Failure(f"The TypeScript client needs {' and '.join(missing)}: apt-get install nodejs npm")
    version = subprocess.run(["node", "--version"], stdout=subprocess.PIPE, encoding="utf-8").stdout.strip()
    if int(re.match(r"v(\d+)", version).group(1)) < OLDEST_NODE:
        raise Failure(f"The TypeScript client needs Node {OLDEST_NODE} or later, here is {version}")


def prepare_typescript(options):
    """Fetches the pinned packages, once; generates the messages; compiles. Returns the command to start it."""
    require_node()
    folder = options.work / "typescript"
    folder.mkdir(parents=True, exist_ok=True)
    lock, fetched = HERE / "typescript/package-lock.json", folder / "fetched-lock.json"
    for name in ("client.ts", "tsconfig.json", "package.json", "package-lock.json"):
        shutil.copy(HERE / "typescript" / name, folder)
    if not fetched.exists() or fetched.read_bytes() != lock.read_bytes():
        run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], folder)
        shutil.copy(lock, fetched)
    run([options.protoc, "-I", options.proto, "--plugin=node_modules/.bin/protoc-gen-es", "--es_out=.",
         "--es_opt=target=ts,import_extension=js", *MESSAGES], folder)
    run(["node", "node_modules/typescript/bin/tsc"], folder)
    return ["node", folder / "built/client.js"]


# ---- The table ----------------------------------------------------------------------------------------


class Process:
    """A process that writes to a file of the game's folder; killed at the end if it still runs."""

    def __init__(self, table, name, command):
        self.output = table.folder / f"{name}.txt"
        with open(self.output, "wb") as file:
            self.process = subprocess.Popen([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT)
        self.name = name
        table.stack.callback(self.kill)
        table.processes.append(self)

    def text(self):
        return self.output.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, pattern, seconds):
        """Waits until the output matches."""
        end = time.monotonic() + seconds
        while not (match := re.search(pattern, self.text())):
            if time.monotonic() > end or self.process.poll() is not None:
                raise Failure(f"{self.name} did not print {pattern!r} within {seconds} s")
            time.sleep(0.05)
        return match

    def has_ended(self):
        code = self.process.poll()
        if code:
            raise Failure(f"{self.name} ended with exit code {code}")
        return code == 0

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def wait_for_all(processes, seconds):
    """Waits until all have ended well, or the first one badly."""
    end = time.monotonic() + seconds
    while waiting := [each.name for each in processes if not each.has_ended()]:
        if time.monotonic() > end:
            raise Failure(f"{', '.join(waiting)} did not end within {seconds} s")
        time.sleep(0.05)


class Table:
    def __init__(self, stack, folder):
        self.stack, self.folder, self.processes = stack, folder, []
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def start_server(self, binary, port, name):
        """Starts a server on a port that may still belong to the last one for a moment."""
        end = time.monotonic() + SECONDS_TO_SIT_DOWN
        while True:
            server = Process(self, name, [binary, "--address", "127.0.0.1", "--port", port, "--threads", "1",
                                          "--database", self.folder / "games.sqlite"])
            try:
                return server, int(server.wait_for(r"listening on ws://127\.0\.0\.1:(\d+)", 30).group(1))
            except Failure:
                if not port or time.monotonic() > end:
                    raise
                server.kill()


def play(table, options, python, typescript):
    """Plays one game. Returns the two clients' results and what the bots printed."""
    server, port = table.start_server(options.server, 0, "server")
    at = ["--server", f"ws://127.0.0.1:{port}", "--cut", CUT, "--compare", COMPARE]
    first = Process(table, "python", [*python, *at, "--name", "Лиет"])
    room = first.wait_for(r"room (\S+)\n", SECONDS_TO_SIT_DOWN).group(1)
    second = Process(table, "typescript", [*typescript, *at, "--name", "Gurney É", "--room", room])
    bots = Process(table, "bots", [options.bot, "--url", f"ws://127.0.0.1:{port}", "--room", room, "--seats", 2,
                                   "--think", THINK, "--patience", SECONDS_TO_SIT_DOWN])
    server.wait_for("game started", SECONDS_TO_SIT_DOWN)
    time.sleep(SECONDS_OF_PEACE)
    if "game over" in server.text():
        raise Failure("the game was over before the server could be killed")
    server.kill()
    server, _ = table.start_server(options.server, port, "server_after")
    wait_for_all([first, second, bots], SECONDS_FOR_A_GAME)
    server.process.terminate()
    wait_for_all([server], SECONDS_TO_STOP)
    return [json.loads(client.text().splitlines()[-1]) for client in (first, second)], bots.text()


# ---- What must be true --------------------------------------------------------------------------------


def standings_of_bots(text):
    lines = re.findall(r"^place (\d+): seat (\d+) \((.*)\), (-?\d+) points?$", text, re.MULTILINE)
    return {int(seat): (name, int(place), int(points)) for place, seat, name, points in lines}


def standings_of_client(result):
    return {each["seat"]: (each["name"], each["place"], each["victory_points"]) for each in result["standings"]}


def check(results, bots):
    expected = standings_of_bots(bots)
    if sorted(place for _, place, _ in expected.values()) != [1, 2, 3, 4]:
        raise Failure(f"the bots print no standings of four seats:\n{bots}")
    for language, result in zip(("Python", "TypeScript"), results):
        print(f"{language}: {json.dumps(result, ensure_ascii=False)}")
        if standings_of_client(result) != expected:
            raise Failure(f"the {language} client reports other standings than the bots, {expected}")
        if not result["seed_as_committed"]:
            raise Failure(f"{language}: the seed is not the one that was committed to")
        for count in ("actions", "cuts", "snapshots_compared"):
            if not result[count]:
                raise Failure(f"{language}: the game had no {count}")
    if results[0]["version"] != results[1]["version"]:
        raise Failure("the clients end with different versions")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("server", "bot", "protoc", "proto", "work"):
        arguments.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = arguments.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by SIGTERM"))
    with contextlib.ExitStack() as stack:
        try:
            python, typescript = prepare_python(options), prepare_typescript(options)
            table = Table(stack, options.work / "game")
            check(*play(table, options, python, typescript))
        except Failure as failure:
            print(f"FAILED: {failure}")
            for process in (table.processes if "table" in locals() else []):
                print(f"---- {process.name} ----\n{process.text()[-4000:]}")
            sys.exit(1)
    print("all clients report the same standings")


if __name__ == "__main__":
    os.environ["PYTHONUTF8"] = "1"  # names are not ASCII
    sys.stdout.reconfigure(encoding="utf-8")
    main()
