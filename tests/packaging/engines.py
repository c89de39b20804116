"""Runs containers of an image with docker, or with buildah where there is no engine.

Both run them as an operator should: the image's own user and entry point, a read-only root file system, one writable
volume at /data. They share the network of this machine, so that a test can listen on free ports of 127.0.0.1.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

SECONDS_TO_STOP = 20  # the stop period that compose.yaml and the others give


def output_of(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.strip()


def options(flag, values):
    return [word for value in values for word in (flag, value)]


class Docker:
    """For an engine that answers to the command line of docker."""

    def __init__(self, name, command=("docker",)):
        self.name, self.command, self.count = name, command, 0

    def ask(self, *words):
        return output_of(*self.command, *words)

    def configuration(self, image):
        """The image's configuration as docker inspect tells it, and its size in bytes."""
        told = json.loads(self.ask("image", "inspect", image))[0]
        return told["Config"], told["Size"]

    def new_volume(self, name):
        return self.ask("volume", "create", f"{self.name}-{name}")

    def start(self, image, volumes, variables=None, command=None, arguments=()):
        """A running container. `volumes`: {volume: path}; `command` is run instead of the entry point."""
        self.count += 1
        name = f"{self.name}-{self.count}"
        self.ask("run", "--detach", "--name", name, "--network", "host", "--read-only", "--cap-drop", "ALL",
                 "--security-opt", "no-new-privileges",
                 *options("--volume", [f"{volume}:{path}" for volume, path in volumes.items()]),
                 *options("--env", [f"{key}={value}" for key, value in (variables or {}).items()]),
                 *(["--entrypoint", command] if command else []), image, *arguments)
        return DockerContainer(self, name)

    def clean_up(self):
        for number in range(1, self.count + 1):
            subprocess.run([*self.command, "rm", "--force", "--volumes", f"{self.name}-{number}"], capture_output=True)
        volumes = self.ask("volume", "ls", "--quiet", "--filter", f"name={self.name}-").split()
        if volumes:
            self.ask("volume", "rm", *volumes)


class DockerContainer:
    def __init__(self, engine, name):
        self.engine, self.name = engine, name

    def output(self):
        done = subprocess.run([*self.engine.command, "logs", self.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout.decode()

    def is_running(self):
        return self.engine.ask("inspect", "--format", "{{.State.Running}}", self.name) == "true"

    def wait(self):
        """The exit code."""
        return int(self.engine.ask("wait", self.name))

    def execute(self, command):
        """The exit code of a command in the running container."""
        return subprocess.run([*self.engine.command, "exec", self.name, *command], capture_output=True).returncode

    def kill(self):
        self.engine.ask("kill", "--signal", "KILL", self.name)
        return self.wait()

    def stop(self):
        self.engine.ask("stop", "--time", SECONDS_TO_STOP, self.name)
        return self.wait()


class Buildah:
    """For a machine without an engine: chroot isolation, as root. Call it in a mount namespace of its own."""

    def __init__(self, storage, work):
        self.command = ("buildah", "--root", storage / "storage", "--runroot", storage / "run", "--storage-driver", "vfs")
        self.work, self.containers, self.configurations = work, [], {}

    def ask(self, *words):
        return output_of(*self.command, *words)

    def configuration(self, image):
        if image not in self.configurations:
            told = json.loads(self.ask("inspect", "--type", "image", image))["Docker"]["config"]
            name = self.ask("from", "--pull-never", image)
            size = int(output_of("du", "--summarize", "--bytes", self.ask("mount", name)).split()[0])
            self.ask("rm", name)
            self.configurations[image] = told, size
        return self.configurations[image]

    def new_volume(self, name):
        """Belongs to the images' user, as a volume does that an engine makes from an image's folder."""
        folder = self.work / "volumes" / name
        folder.mkdir(parents=True)
        for told, _ in self.configurations.values():
            os.chown(folder, *map(int, told["User"].split(":")))
        return folder

    def start(self, image, volumes, variables=None, command=None, arguments=()):
        name = self.ask("from", "--pull-never", image)
        for path in self.configuration(image)[0]["Volumes"]:
            self.ask("config", "--volume", f"{path}-", name)  # or buildah mounts a folder of its own over ours
        root = pathlib.Path(self.ask("mount", name))
        subprocess.run(["mount", "--bind", root, root], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", root], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "run", root / "run"], check=True)  # buildah's own
        entry = [command] if command else self.configuration(image)[0]["Entrypoint"]
        run = [*self.command, "run", "--isolation", "chroot",
               *options("--volume", [f"{volume}:{path}" for volume, path in volumes.items()]),
               *options("--env", [f"{key}={value}" for key, value in (variables or {}).items()]), name, "--"]
        container = BuildahContainer(self, name, root, self.work / f"{name}.txt", run, [*entry, *arguments])
        self.containers.append(container)
        return container

    def clean_up(self):
        for container in self.containers:
            if container.is_running():
                container.kill()
            subprocess.run(["umount", "--recursive", container.root], capture_output=True)
            self.ask("rm", container.name)
        shutil.rmtree(self.work / "volumes", ignore_errors=True)


def children_of(process):
    tasks = pathlib.Path(f"/proc/{process}/task")
    return [int(child) for task in tasks.glob("*/children") for child in task.read_text().split()]


class BuildahContainer:
    """`run`: the words that come before any command to run in it."""

    def __init__(self, engine, name, root, log, run, command):
        self.engine, self.name, self.root, self.log = engine, name, root, log
        self.run = [str(word) for word in run]
        with open(log, "wb") as file:
            self.process = subprocess.Popen([*self.run, *command], stdout=file, stderr=subprocess.STDOUT)

    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def is_running(self):
        return self.process.poll() is None

    def wait(self):
        return self.process.wait()

    def execute(self, command):
        return subprocess.run([*self.run, *command], capture_output=True).returncode

    def first_process(self):
        """What an engine would signal: the process that is not buildah any more."""
        waiting = [self.process.pid]
        while waiting:
            process = waiting.pop()
            if "buildah" not in os.path.basename(os.readlink(f"/proc/{process}/exe")):
                return process
            waiting += children_of(process)
        raise ProcessLookupError(f"{self.name} runs nothing")

    def kill(self):
        os.kill(self.first_process(), signal.SIGKILL)
        return self.wait()

    def stop(self):
        os.kill(self.first_process(), signal.SIGTERM)
        end = time.monotonic() + SECONDS_TO_STOP
        while self.is_running() and time.monotonic() < end:
            time.sleep(0.05)
        return self.wait() if not self.is_running() else self.kill()
