"""landsraad-replay and landsraad-server --backup through their own command lines.

    replay_cli.py REPLAY SERVER CORPUS_GAME FOLDER

Each step is one run of a program: what it prints and its exit code are what a person sees.
"""

import json
import pathlib
import shutil
import subprocess
import sys

REPLAY, SERVER, GAME, FOLDER = sys.argv[1:5]
ROOM = "arrakis"


def run(program, *words, expect=0):
    ran = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert ran.returncode == expect, f"{words}: exit code {ran.returncode}\n{ran.stdout[-500:]}{ran.stderr}"
    if expect == 2:
        assert len(ran.stderr.splitlines()) == 1, f"{words}: not one line\n{ran.stderr}"
        assert ran.stderr.startswith("landsraad-"), ran.stderr
    return ran.stdout


def replay(*words, expect=0):
    return run(REPLAY, *words, expect=expect)


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def fields(message):
    """The fields of a protobuf message that has only length-delimited ones: (number, bytes as they stand)."""
    at = 0
    while at < len(message):
        start, tag, at = at, message[at], at + 1
        size = shift = 0
        while True:
            byte, at = message[at], at + 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        at += size
        yield tag >> 3, message[start:at]


def write_game(path, record, room):
    path.write_bytes(record + bytes([3 << 3 | 2]) + varint(len(room)) + room.encode())


def main():
    folder = pathlib.Path(FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    here, there, whole = folder / "here.sqlite", folder / "there.sqlite", folder / "whole.game"
    record = pathlib.Path(GAME).read_bytes()
    write_game(whole, record, ROOM)
    parts = list(fields(record))
    entries = sum(number == 2 for number, _ in parts)
    begun = b"".join(part for number, part in parts if number == 1)
    begun += b"".join([part for number, part in parts if number == 2][:30])
    write_game(folder / "begun.game", begun, "caladan")

    assert "--import FILE" in replay("--help") and "--backup FILE" in run(SERVER, "--help")

    # Into a database, and what it says of the games there.
    assert "over" in replay(here, "--import", whole)
    assert "in progress" in replay(here, "--import", folder / "begun.game")
    listed = replay(here).splitlines()
    assert [line.split()[:2] for line in listed] == [[ROOM, "closed"], ["caladan", "open"]], listed
    assert [line.split()[0] for line in replay(here, "--open").splitlines()] == ["caladan"]
    name = json.loads(replay(here, ROOM, "--json"))["setup"]["players"][0]
    assert len(replay(here, "--player", name).splitlines()) == 2
    assert replay(here, "--player", "nobody of this name") == ""
    verified = replay(here, "--verify").splitlines()
    assert verified[0].endswith("the file is sound") and len(verified) == 3, verified
    assert f"{entries} entries, all as stored" in replay(here, ROOM, "--verify")

    # One game, from everywhere and from a seat, of a database and of a file.
    assert "== Round 1 begins ==" in replay(here, ROOM) and "Result after" in replay(here, ROOM)
    assert replay(here, ROOM).splitlines()[2:] == replay(whole).splitlines()[2:]
    assert "in no order" in replay(here, "caladan", "--seat", name)
    assert "in no order" not in replay(here, "caladan", "--seat", "spectator")
    assert "Decks, the next card first" in replay(whole, "--until", 20, "--seat", "all")
    moment = json.loads(replay(whole, "--until", 20, "--seat", 1, "--json"))
    seats = moment["snapshot"]["view"]["seats"]
    assert ["hand" in seat for seat in seats] == [seat.get("id", 0) == 1 for seat in seats], seats
    assert "decks" not in moment and "decks" in json.loads(replay(whole, "--seat", "all", "--json"))
    assert replay(whole, "--until", 5, "--scenario").strip()

    # On to another server.
    moved = folder / "moved.game"
    for room in (ROOM, "caladan"):
        replay(here, room, "--export", moved)
        assert "all as stored" in replay("--verify", moved)
        replay(there, "--import", moved)
        replay(there, "--import", moved, expect=2)
        moved.unlink()
    assert replay(there) .split("\n")[0].split()[:2] == [ROOM, "closed"]
    replay(there, "--verify")

    # Copies.
    copy = folder / "copy.sqlite"
    assert str(copy) in run(SERVER, "--backup", copy, "--database", there)
    assert replay(copy) == replay(there)
    run(SERVER, "--backup", copy, "--database", there, expect=2)
    run(SERVER, "--backup", there, "--database", there, expect=2)
    run(SERVER, "--backup", folder / "none" / "copy", "--database", there, expect=1)
    run(SERVER, "--backup", folder / "copy2", "--database", folder / "missing", expect=1)

    # Damage.
    damaged = bytearray(copy.read_bytes())
    damaged[2 * 4096 : 2 * 4096 + 64] = b"\x7f" * 64
    (folder / "damaged.sqlite").write_bytes(damaged)
    assert "the file is damaged" in replay(folder / "damaged.sqlite", "--verify", expect=1)

    # Wrong usage: one line each.
    for words in (
        [],
        [here, ROOM, "--unknown"],
        [here, "nothing"],
        [here, ROOM, "--until", entries + 1],
        [here, ROOM, "--until", "x"],
        [here, ROOM, "--seat", 9],
        [here, "--seat", 1],
        [here, "--json"],
        [here, "--export", moved],
        [here, ROOM, "--export", whole],
        [here, ROOM, "--import", whole],
        [here, "--import", GAME],
        [here, ROOM, "--open"],
        [here, "--commitment", "a" * 64, "--verify"],
        [whole, ROOM],
        [whole, "--export", moved],
        [whole, "--import", moved],
    ):
        replay(*words, expect=2)
    replay(folder / "missing", expect=1)
    replay(here, "--import", folder / "missing", expect=1)
    assert not moved.exists()


main()
