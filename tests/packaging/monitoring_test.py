"""The dashboard, the alerts and the scrape ask for what a running server really shows."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import urllib.request

import yaml

import project

SELECTOR = re.compile(r"\b(landsraad_\w+)(?:\{([^}]*)\})?")


def exposition():
    """What /metrics of a server answers that is started for this."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        command = [project.SERVER, "--port=0", "--metrics-port=0", f"--database={folder}/games.sqlite", f"--log-file={log}"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
        try:
            if not server.stdout.readline().startswith("listening on"):
                raise AssertionError("the server did not start")
            port = re.search(r"metrics on http://127.0.0.1:(\d+)/metrics", log.read_text()).group(1)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
                return answer.read().decode()
        finally:
            server.terminate()
            server.communicate()


def shown(text):
    """{metric: {label: {value}}} of an exposition."""
    metrics = {}
    for name, labels in re.findall(r"^(\w+)(?:\{(.*)\})? \S+$", text, re.MULTILINE):
        for label, value in re.findall(r'(\w+)="([^"]*)"', labels):
            metrics.setdefault(name, {}).setdefault(label, set()).add(value)
        metrics.setdefault(name, {})
    return metrics


def faults(expression, metrics):
    """What an expression of PromQL asks for that is not there."""
    found = []
    for name, matchers in SELECTOR.findall(expression):
        if name not in metrics:
            found.append(f"there is no {name}")
            continue
        for label, values in re.findall(r'(\w+)\s*[=!]~?\s*"([^"]*)"', matchers):
            missing = set(values.split("|")) - metrics[name].get(label, set())
            found += [f"{name} has no {label}={value}" for value in missing]
    return found


def dashboard():
    return json.loads(project.read("docker", "grafana", "landsraad.json"))


def alerts():
    return [rule for group in yaml.safe_load(project.read("docker", "alerts.yml"))["groups"] for rule in group["rules"]]


class Monitoring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.metrics = shown(exposition())

    def test_the_check_finds_what_is_not_there(self):
        for good in ("landsraad_rooms > 0", 'rate(landsraad_storage_replies_total{outcome=~"ok|lost"}[5m])'):
            self.assertEqual(faults(good, self.metrics), [])
        for bad in ("landsraad_room", 'landsraad_storage_replies_total{outcome="gone"}', 'landsraad_rooms{id="1"}'):
            self.assertEqual(len(faults(bad, self.metrics)), 1, bad)

    def test_panels_ask_for_what_is_there(self):
        for panel in dashboard()["panels"]:
            for target in panel["targets"]:
                self.assertRegex(target["expr"], SELECTOR)
                self.assertEqual(faults(target["expr"], self.metrics), [], panel["title"])
                for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                    for name, _ in SELECTOR.findall(target["expr"]):
                        self.assertIn(label, self.metrics[name], panel["title"])

    def test_alerts_ask_for_what_is_there(self):
        for rule in alerts():
            self.assertTrue(rule["annotations"]["summary"])
            self.assertEqual(faults(rule["expr"], self.metrics), [], rule["alert"])
            self.assertTrue(SELECTOR.search(rule["expr"]) or 'up{job="landsraad"}' in rule["expr"], rule["alert"])

    def test_every_metric_but_the_histograms_parts_is_on_the_dashboard(self):
        asked = {name for panel in dashboard()["panels"] for target in panel["targets"]
                 for name, _ in SELECTOR.findall(target["expr"])}
        self.assertEqual(set(self.metrics) - asked, set())


class Dashboard(unittest.TestCase):
    def test_panels_do_not_overlap_and_fit_the_width(self):
        taken = {}
        for panel in dashboard()["panels"]:
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((x, y), taken, panel["title"])
                    taken[x, y] = panel["id"]
        self.assertEqual(len({panel["id"] for panel in dashboard()["panels"]}), len(dashboard()["panels"]))

    def test_the_data_source_is_the_provisioned_one(self):
        source = yaml.safe_load(project.read("docker", "grafana", "datasource.yaml"))["datasources"][0]
        services = yaml.safe_load(project.read("docker", "compose.yaml"))["services"]
        self.assertRegex(source["url"], r"^http://prometheus:\d+$")
        self.assertIn("prometheus", services)
        for panel in dashboard()["panels"]:
            self.assertEqual(panel["datasource"], {"type": source["type"], "uid": source["uid"]})
        mounted = [volume.split(":")[1] for volume in services["grafana"]["volumes"]]
        folder = yaml.safe_load(project.read("docker", "grafana", "dashboards.yaml"))["providers"][0]["options"]["path"]
        self.assertIn(f"{folder}/landsraad.json", mounted)

    def test_prometheus_asks_the_server_s_operations_port(self):
        scrape = yaml.safe_load(project.read("docker", "prometheus.yml"))["scrape_configs"][0]
        self.assertEqual(scrape["job_name"], "landsraad")
        self.assertEqual(scrape["static_configs"][0]["targets"], [f"server:{project.option_defaults()['metrics-port']}"])


if __name__ == "__main__":
    unittest.main()
