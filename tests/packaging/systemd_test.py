"""The systemd unit: systemd's own check, its judgement of the hardening, and the project's needs."""
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import project

MOST_EXPOSED = 20  # tenths, as systemd-analyze security counts: 0 = nothing, 100 = everything


def analyze(*arguments):
    return subprocess.run(["systemd-analyze", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")


class Unit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text = project.read("docker", "landsraad.service")
        cls.settings = dict(re.findall(r"^(\w+)=(.*)$", cls.text, re.MULTILINE))

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze: apt-get install systemd")
    def test_systemd_accepts_it(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder, "landsraad.service")
            unit.write_text(self.text.replace("ExecStart=/usr/local/bin/landsraad-server", f"ExecStart={project.SERVER}"))
            done = analyze("verify", "--man=no", unit)
            self.assertEqual((done.returncode, done.stdout), (0, ""))
            unit.write_text(unit.read_text().replace("ProtectHome=", "ProtectHouse="))
            self.assertIn("ProtectHouse", analyze("verify", "--man=no", unit).stdout)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze: apt-get install systemd")
    def test_systemd_calls_it_hardened(self):
        done = analyze("security", "--offline=true", f"--threshold={MOST_EXPOSED}", project.DOCKER / "landsraad.service")
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_waits_for_the_drain_and_gives_up_on_bad_options(self):
        self.assertGreater(int(self.settings["TimeoutStopSec"]), project.seconds_to_drain())
        self.assertEqual(self.settings["RestartPreventExitStatus"], "2")
        self.assertGreater(int(self.settings["LimitNOFILE"]), int(project.option_defaults()["max-connections"]))

    def test_writes_where_it_may(self):
        variable, path = self.settings["Environment"].split("=")
        self.assertEqual(project.option_of(variable), "database")
        self.assertTrue(path.startswith(f"/var/lib/{self.settings['StateDirectory']}/"))

    def test_names_options_of_the_server(self):
        for variable in re.findall(r"\bLANDSRAAD_\w+", self.text):
            self.assertIsNotNone(project.option_of(variable), variable)


if __name__ == "__main__":
    unittest.main()
