"""The compose file, and the proxies in front of the server."""
import ipaddress
import re
import unittest

import yaml

import project

PROFILES = {"server": None, "proxy": ["proxy"], "prometheus": ["monitoring"], "grafana": ["monitoring"]}


def default(text):
    """A value with ${NAME:-default} replaced by the default."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", str(text))


class Compose(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.file = yaml.safe_load(project.read("docker", "compose.yaml"))
        cls.services = cls.file["services"]
        cls.server = cls.services["server"]

    def test_every_variable_has_a_default(self):
        text = re.sub(r"^\s*#.*", "", project.read("docker", "compose.yaml"), flags=re.MULTILINE)
        self.assertEqual(re.findall(r"\$(?!\{\w+:-)", text), [])

    def test_only_the_server_starts_unasked(self):
        self.assertEqual({name: each.get("profiles") for name, each in self.services.items()}, PROFILES)

    def test_images_have_tags(self):
        for name, each in self.services.items():
            self.assertRegex(default(each["image"]), r":v?\d", name)

    def test_everything_has_limits_and_comes_back(self):
        for name, each in self.services.items():
            with self.subTest(name):
                self.assertEqual(each["restart"], "unless-stopped")
                self.assertRegex(default(each["mem_limit"]), r"^\d+m$")
                self.assertEqual(each["cap_drop"], ["ALL"])
                self.assertIn("max-size", each["logging"]["options"])

    def test_only_the_proxy_is_seen_from_outside(self):
        for name, each in self.services.items():
            for port in each.get("ports", []):
                if name != "proxy":
                    self.assertRegex(default(port), r"^127\.0\.0\.1:\d+:\d+$")

    def test_the_server_may_write_to_its_volume_only(self):
        self.assertTrue(self.server["read_only"])
        self.assertEqual(self.server["security_opt"], ["no-new-privileges:true"])
        self.assertEqual(self.server["volumes"], ["games:/data"])
        self.assertIn("games", self.file["volumes"])

    def test_the_server_has_time_to_drain_and_files_for_everyone(self):
        self.assertGreater(project.seconds(self.server["stop_grace_period"]), project.seconds_to_drain())
        self.assertGreater(self.server["ulimits"]["nofile"], int(project.option_defaults()["max-connections"]))

    def test_variables_are_options_of_the_server(self):
        for variable in self.server["environment"]:
            self.assertIsNotNone(project.option_of(variable), variable)

    def test_the_proxy_s_address_is_trusted_and_never_another_s(self):
        address = self.services["proxy"]["networks"]["landsraad"]["ipv4_address"]
        self.assertEqual(default(self.server["environment"]["LANDSRAAD_TRUSTED_PROXY"]), address)
        pool = self.file["networks"]["landsraad"]["ipam"]["config"][0]
        self.assertIn(ipaddress.ip_address(address), ipaddress.ip_network(pool["subnet"]))
        self.assertNotIn(ipaddress.ip_address(address), ipaddress.ip_network(pool["ip_range"]))

    def test_mounted_files_are_there(self):
        for each in self.services.values():
            for source in (volume.split(":")[0] for volume in each.get("volumes", [])):
                if source.startswith("."):
                    self.assertTrue((project.DOCKER / source).is_file(), source)
                else:
                    self.assertIn(source, self.file["volumes"])

    def test_holds_no_secret(self):
        for each in self.services.values():
            for variable in each.get("environment", {}):
                self.assertNotRegex(variable, r"PASSWORD|SECRET|TOKEN(?!S)|KEY")


class Proxies(unittest.TestCase):
    def test_caddy_leads_to_the_server(self):
        self.assertIn("reverse_proxy {$LANDSRAAD_UPSTREAM:server:8080}", project.read("docker", "Caddyfile"))
        self.assertEqual(project.option_defaults()["port"], "8080")

    def test_nginx_passes_websockets_and_waits_for_pings(self):
        text = project.read("docker", "nginx.conf")
        headers = dict(re.findall(r"proxy_set_header (\S+) (\S+);", text))
        self.assertEqual(headers, {"Upgrade": "$http_upgrade", "Connection": "$landsraad_connection",
                                   "Host": "$http_host", "X-Forwarded-For": "$remote_addr"})
        self.assertIn("proxy_http_version 1.1;", text)
        for direction in ("read", "send"):
            timeout = project.seconds(re.search(rf"proxy_{direction}_timeout (\w+);", text).group(1))
            self.assertGreater(timeout, int(project.option_defaults()["idle-timeout"]))
        self.assertEqual(text.count("{"), text.count("}"))


if __name__ == "__main__":
    unittest.main()
