"""Reads a Dockerfile and finds what should not be in one."""
import re
import shlex

SECRET = re.compile(r"PASS(WORD|WD|PHRASE)|SECRET|TOKEN|CREDENTIAL|(API|ACCESS|PRIVATE|TLS)_?KEY", re.IGNORECASE)
SECRET_FILE = re.compile(r"(^|/)(\.env|\.git|\.ssh|id_rsa|id_ed25519)(/|$)|\.(pem|key|p12)$")


def instructions(text):
    """[(KEYWORD, rest)] with continuation lines joined and comments dropped."""
    joined, out = "", []
    for line in text.splitlines():
        if line.lstrip().startswith("#") or not (line.strip() or joined):
            continue
        joined += line.strip()
        if joined.endswith("\\"):
            joined = joined[:-1].rstrip() + " "
            continue
        keyword, _, rest = joined.partition(" ")
        out.append((keyword.upper(), rest.strip()))
        joined = ""
    return out


def stages(text):
    """The instructions of each stage, its FROM first. What stands before the first FROM is left out."""
    out = []
    for keyword, rest in instructions(text):
        if keyword == "FROM":
            out.append([])
        if out:
            out[-1].append((keyword, rest))
    return out


def commands(run):
    """The commands of a RUN, without its --mount options."""
    return [part.strip() for part in re.split(r"&&|\|\||;", re.sub(r"^(--\w+=\S+\s+)+", "", run))]


def values(stage, keyword):
    return [rest for word, rest in stage if word == keyword]


def environment(stage):
    """Names and values of its ENV instructions."""
    words = [word for rest in values(stage, "ENV") for word in shlex.split(rest)]
    return dict(word.split("=", 1) for word in words)


def packages(run):
    """What apt-get installs in this RUN."""
    return [word for command in commands(run) if re.search(r"\bapt-get install\b", command)
            for word in command.split("install", 1)[1].split() if not word.startswith("-")]


def base_faults(stage, names):
    image = [word for word in stage[0][1].split() if not word.startswith("--")][0]
    if image in names or image == "scratch" or "@sha256:" in image:
        return []
    tag = image.rpartition("/")[2].partition(":")[2]
    return [] if tag and tag != "latest" else [f"FROM {image}: name a tag, and not latest"]


def run_faults(run):
    found, parts = [], commands(run)
    if packages(run):
        install = next(command for command in parts if "apt-get install" in command)
        if not any(command.endswith("apt-get update") for command in parts):
            found.append("apt-get install without apt-get update in the same layer")
        if not any(re.match(r"rm -rf .*/var/lib/apt/lists/\*", command) for command in parts):
            found.append("apt's lists are left in the layer")
        for option in ("-y", "--no-install-recommends"):
            if option not in install.split():
                found.append(f"apt-get install without {option}")
    if re.search(r"apt-get (dist-)?upgrade", run):
        found.append("an upgrade: take a newer base image")
    if re.search(r"\b(curl|wget)\b", run):
        found.append("a download that nobody has checked")
    if re.search(r"\bsudo\b|chmod (-R )?0?777", run):
        found.append("sudo, or files that anybody may write")
    return found


def secret_faults(keyword, rest):
    if keyword in ("ENV", "ARG", "LABEL"):
        return [f"{keyword} {name}: a secret" for name in re.findall(r"([\w.-]+)\s*=\s*[\"']?[^\s\"']", rest)
                if SECRET.search(name)]
    if keyword in ("COPY", "ADD"):
        return [f"{keyword} {word}: a secret" for word in rest.split() if SECRET_FILE.search(word)]
    return []


def instruction_faults(keyword, rest):
    found = secret_faults(keyword, rest)
    if keyword == "RUN":
        found += run_faults(rest)
    if keyword == "ADD":
        found.append("ADD: COPY does what it says")
    if keyword in ("ENTRYPOINT", "CMD") and not rest.startswith("["):
        found.append(f"{keyword} starts a shell that hears the signals instead: write it as a list")
    if keyword == "WORKDIR" and not rest.startswith("/"):
        found.append(f"WORKDIR {rest} depends on the one before")
    return found


def final_stage_faults(stage):
    found = []
    user = (values(stage, "USER") or ["root"])[-1].partition(":")[0]
    if user in ("root", "0"):
        found.append("it runs as root: set USER")
    for keyword in ("HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "VOLUME", "LABEL"):
        if len(values(stage, keyword)) != 1:
            found.append(f"the image needs one {keyword}")
    return found


def faults(text):
    """All that is wrong, in words; empty = nothing."""
    found, names = [], set()
    all_stages = stages(text)
    for stage in all_stages:
        found += base_faults(stage, names)
        if match := re.search(r"\bAS (\S+)", stage[0][1], re.IGNORECASE):
            names.add(match.group(1))
        for keyword, rest in stage:
            found += instruction_faults(keyword, rest)
    return found + final_stage_faults(all_stages[-1])
