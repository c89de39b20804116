"""The Kubernetes manifest: its shape, and that its parts fit each other, the image and the server."""
import copy
import re
import unittest

import jsonschema
import yaml

import dockerfile
import project

SCHEMA = yaml.safe_load(project.read("tests", "packaging", "kubernetes.schema.yaml"))


def faults(document):
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
            for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(document)]


class Manifest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        documents = list(yaml.safe_load_all(project.read("docker", "kubernetes.yaml")))
        cls.documents = {each["metadata"]["name"] + "/" + each["kind"]: each for each in documents}
        cls.set = cls.documents["landsraad/StatefulSet"]
        cls.pod = cls.set["spec"]["template"]["spec"]
        cls.container = cls.pod["containers"][0]

    def test_has_the_shape_that_kubernetes_wants(self):
        for name, document in self.documents.items():
            self.assertEqual(faults(document), [], name)

    def test_the_schema_finds_what_is_misspelt_or_of_the_wrong_kind(self):
        def spoilt(change):
            document = copy.deepcopy(self.set)
            change(document["spec"]["template"]["spec"]["containers"][0])
            return faults(document)
        self.assertNotEqual(spoilt(lambda c: c.update(livenessprobe=c.pop("livenessProbe"))), [])
        self.assertNotEqual(spoilt(lambda c: c["ports"][0].update(containerPort="8080")), [])
        self.assertNotEqual(spoilt(lambda c: c["env"][0].update(value=1)), [])
        self.assertNotEqual(spoilt(lambda c: c["resources"]["limits"].update(memory="512 MB")), [])
        self.assertNotEqual(spoilt(lambda c: c["lifecycle"]["preStop"].update(exec={})), [])
        self.assertNotEqual(spoilt(lambda c: c.pop("image")), [])

    def test_selectors_find_the_pod(self):
        labels = self.set["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(self.set["spec"]["selector"]["matchLabels"], labels)
        for document in self.documents.values():
            if document["kind"] == "Service":
                self.assertEqual(document["spec"]["selector"], labels)
        self.assertIn(self.set["spec"]["serviceName"] + "/Service", self.documents)

    def test_ports_have_the_names_that_are_used(self):
        names = {port["name"] for port in self.container["ports"]}
        used = {port["targetPort"] for each in self.documents.values() if each["kind"] == "Service"
                for port in each["spec"]["ports"]}
        used |= {probe["httpGet"]["port"] for name, probe in self.container.items() if name.endswith("Probe")}
        self.assertEqual(used, names)

    def test_probes_ask_what_the_server_answers(self):
        paths = {name: self.container[name]["httpGet"]["path"] for name in ("startupProbe", "readinessProbe", "livenessProbe")}
        self.assertEqual(paths, {"startupProbe": "/healthz", "readinessProbe": "/readyz", "livenessProbe": "/healthz"})

    def test_one_server_has_the_volume(self):
        self.assertEqual(self.set["spec"]["replicas"], 1)
        claims = {claim["metadata"]["name"] for claim in self.set["spec"]["volumeClaimTemplates"]}
        self.assertEqual({mount["name"]: mount["mountPath"] for mount in self.container["volumeMounts"]},
                         dict.fromkeys(claims, "/data"))

    def test_there_is_time_to_stop(self):
        waited = int(self.container["lifecycle"]["preStop"]["exec"]["command"][1])
        self.assertGreater(self.pod["terminationGracePeriodSeconds"], waited + project.seconds_to_drain())

    def test_runs_as_the_image_s_user_and_writes_nowhere_else(self):
        user = dockerfile.values(dockerfile.stages(project.read("docker", "Dockerfile"))[-1], "USER")[-1]
        context = self.pod["securityContext"]
        self.assertEqual(user, f"{context['runAsUser']}:{context['runAsGroup']}")
        self.assertEqual(context["fsGroup"], context["runAsGroup"])
        self.assertTrue(context["runAsNonRoot"])
        self.assertEqual(self.container["securityContext"], {
            "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})

    def test_variables_are_options_and_kubernetes_adds_none(self):
        self.assertFalse(self.pod["enableServiceLinks"])
        for each in self.container["env"]:
            self.assertIsNotNone(project.option_of(each["name"]), each["name"])

    def test_the_image_has_a_version(self):
        version = re.search(r"^project\(landsraad VERSION ([\d.]+)", project.read("CMakeLists.txt"), re.MULTILINE).group(1)
        self.assertEqual(self.container["image"], f"landsraad:{version}")


if __name__ == "__main__":
    unittest.main()
