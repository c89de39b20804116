"""What the checks know of the project: its files, and what the server says of itself."""
import functools
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCKER = ROOT / "docker"
SERVER = os.environ.get("LANDSRAAD_SERVER", "")  # the binary; CTest says which


def read(*names):
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


@functools.cache
def option_defaults():
    """Every option of the server with its default, from its --help."""
    text = subprocess.run([SERVER, "--help"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    return dict(re.findall(r"^  --([a-z-]+) .*\[(.*)\]$", text, re.MULTILINE))


def option_of(variable):
    """The option that an environment variable sets, or None."""
    name = variable.removeprefix("LANDSRAAD_").removesuffix("_FILE") if variable != "LANDSRAAD_LOG_FILE" else "LOG_FILE"
    name = name.lower().replace("_", "-")
    return name if variable.startswith("LANDSRAAD_") and name in option_defaults() else None


def seconds_to_drain():
    return int(option_defaults()["drain-seconds"])


def seconds(text):
    """Of "20s" or "5m"."""
    number, unit = re.fullmatch(r"(\d+)(s|m|)", str(text)).groups()
    return int(number) * (60 if unit == "m" else 1)
