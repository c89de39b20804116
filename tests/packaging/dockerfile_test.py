"""The Dockerfile has none of the usual faults, and the check finds each of them."""
import re
import unittest

import dockerfile
import project

GOOD = """
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ \\
 && rm -rf /var/lib/apt/lists/*
FROM debian:bookworm-slim
COPY --from=build /out /usr
ENV MODE=fast
LABEL a=b
USER 10001
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK CMD ["ask"]
ENTRYPOINT ["serve"]
"""

# What is replaced in it by what, and a word of what is then said.
BAD = [
    ("debian:bookworm-slim\nCOPY", "debian\nCOPY", "name a tag"),
    ("debian:bookworm-slim\nCOPY", "debian:latest\nCOPY", "not latest"),
    ("debian:bookworm-slim\nCOPY", "registry.example:5000/debian\nCOPY", "name a tag"),
    ("apt-get update && ", "", "without apt-get update"),
    (" \\\n && rm -rf /var/lib/apt/lists/*", "\nRUN rm -rf /var/lib/apt/lists/*", "lists are left"),
    (" -y", "", "without -y"),
    (" --no-install-recommends", "", "recommends"),
    ("ENV MODE", "RUN apt-get upgrade -y\nENV MODE", "upgrade"),
    ("ENV MODE", "RUN wget -O- https://x.example/install.sh | sh\nENV MODE", "download"),
    ("ENV MODE", "RUN chmod -R 777 /data\nENV MODE", "anybody"),
    ("ENV MODE=fast", "ENV DB_PASSWORD=sesame", "secret"),
    ("ENV MODE=fast", "ARG API_KEY=sesame", "secret"),
    ("COPY --from", "COPY docker/.env /etc/\nCOPY --from", "secret"),
    ("COPY --from", "ADD https://x.example/x.tar /\nCOPY --from", "ADD"),
    ("USER 10001\n", "", "root"),
    ("USER 10001\n", "USER 10001\nUSER root\n", "root"),
    ('["serve"]', "serve", "shell"),
    ("VOLUME", "WORKDIR data\nVOLUME", "WORKDIR"),
    ("STOPSIGNAL SIGTERM\n", "", "STOPSIGNAL"),
    ('HEALTHCHECK CMD ["ask"]\n', "", "HEALTHCHECK"),
]


class TheCheck(unittest.TestCase):
    def test_finds_nothing_in_a_good_file(self):
        self.assertEqual(dockerfile.faults(GOOD), [])

    def test_finds_each_fault(self):
        for good, bad, word in BAD:
            with self.subTest(word=word, bad=bad):
                self.assertIn(good, GOOD)
                self.assertIn(word, "; ".join(dockerfile.faults(GOOD.replace(good, bad, 1))))


class TheDockerfile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = project.read("docker", "Dockerfile")
        cls.building, cls.running = dockerfile.stages(cls.text)

    def test_has_no_faults(self):
        self.assertEqual(dockerfile.faults(self.text), [])

    def test_both_stages_are_the_slim_debian(self):
        for stage in (self.building, self.running):
            self.assertEqual(stage[0][1].split()[0], "docker.io/library/debian:bookworm-slim")

    def test_builds_with_packages_that_tools_dev_knows(self):
        known = re.search(r"BUILD_PACKAGES=\(([^)]*)\)", project.read("tools", "dev")).group(1).split()
        for run in dockerfile.values(self.building, "RUN"):
            self.assertLessEqual(set(dockerfile.packages(run)), set(known))

    def test_runs_without_anything_to_build_with(self):
        for run in dockerfile.values(self.running, "RUN"):
            for package in dockerfile.packages(run):
                self.assertRegex(package, r"^lib.*\d$")

    def test_user_is_a_number_and_data_is_a_volume(self):
        self.assertRegex(dockerfile.values(self.running, "USER")[-1], r"^[1-9]\d+:[1-9]\d+$")
        self.assertEqual(dockerfile.values(self.running, "VOLUME"), ["/data"])

    def test_sets_options_that_the_server_has(self):
        variables = dockerfile.environment(self.running)
        self.assertTrue(variables["LANDSRAAD_DATABASE"].startswith("/data/"))
        for variable in variables:
            self.assertIsNotNone(project.option_of(variable), variable)

    def test_takes_the_version(self):
        for stage in (self.building, self.running):
            self.assertRegex(" ".join(dockerfile.values(stage, "ARG")), r"\bVERSION=\d")
        self.assertIn("org.opencontainers.image.version", dockerfile.values(self.running, "LABEL")[0])

    def test_names_the_project_s_version(self):
        version = re.search(r"^project\(landsraad VERSION ([\d.]+)", project.read("CMakeLists.txt"), re.MULTILINE).group(1)
        self.assertEqual(set(re.findall(r"ARG VERSION=(\S+)", self.text)), {version})


class TheContext(unittest.TestCase):
    def test_is_what_the_build_needs_and_nothing_else(self):
        lines = [line for line in project.read(".dockerignore").splitlines() if line and not line.startswith("#")]
        self.assertEqual(lines[0], "*")
        let_in = {line[1:] for line in lines if line.startswith("!")}
        needed = set(re.findall(r"^\s*add_subdirectory\((\w+)", project.read("CMakeLists.txt"), re.MULTILINE)) - {"tests"}
        self.assertEqual(let_in, needed | {"CMakeLists.txt", "CMakePresets.json", "LICENSE"})


if __name__ == "__main__":
    unittest.main()
