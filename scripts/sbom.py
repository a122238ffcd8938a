#!/usr/bin/env python3
"""Writes the crates that the binary is built from as a CycloneDX 1.5 document, from Cargo's own metadata: no network.

    scripts/sbom.py > sbom.json

Development dependencies are left out: they are not in the binary.
"""
import json
import subprocess
import sys
import tomllib

ROOT = "plan-advisor"


def metadata():
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--features", "documents", "--filter-platform", "x86_64-unknown-linux-gnu"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def reached(nodes, root):
    """Ids of all packages that the root needs to be built or to run."""
    found, left = set(), [root]
    while left:
        package = left.pop()
        if package in found:
            continue
        found.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"]):
                left.append(dependency["pkg"])
    return found


def component(package, checksums):
    name, version = package["name"], package["version"]
    made = {"type": "library", "bom-ref": f"pkg:cargo/{name}@{version}", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}"}
    if package["license"]:
        made["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if checksum := checksums.get((name, version)):
        made["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return made


def main():
    found = metadata()
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    root = next(package for package in found["packages"] if package["name"] == ROOT)
    with open("Cargo.lock", "rb") as lock:
        checksums = {(package["name"], package["version"]): package.get("checksum") for package in tomllib.load(lock)["package"]}
    used = reached(nodes, root["id"])
    ref = lambda id: f"pkg:cargo/{packages[id]['name']}@{packages[id]['version']}"
    application = component(root, checksums) | {"type": "application"}
    others = sorted((component(packages[id], checksums) for id in used - {root["id"]}), key=lambda made: made["bom-ref"])
    dependencies = [
        {"ref": ref(id), "dependsOn": sorted({ref(other["pkg"]) for other in nodes[id]["deps"] if other["pkg"] in used})}
        for id in sorted(used, key=ref)
    ]
    document = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "metadata": {"component": application},
        "components": others, "dependencies": dependencies,
    }
    json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
