#!/usr/bin/env bash
# Checks deploy/kubernetes: each manifest against Kubernetes' schemas, without unknown keys, and each setting in it against
# the program's. Needs no cluster.
set -euo pipefail
cd "$(dirname "$0")/.."

venv="${CARGO_TARGET_DIR:-target}/manifests/venv"
requirements=deploy/kubernetes/requirements.txt
if ! cmp --silent "$requirements" "$venv/installed.txt"; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements"
  cp "$requirements" "$venv/installed.txt"
fi
# kustomization.yaml is kustomize's own, not a resource.
find deploy/kubernetes -name '*.yaml' ! -name kustomization.yaml -print0 |
  sort -z | xargs -0 "$venv/bin/kubernetes-validate" --strict --quiet
"$venv/bin/python" -B - <<'PYTHON'
import glob, pathlib, re, sys, yaml

documents = [d for path in glob.glob("deploy/kubernetes/*.yaml") for d in yaml.safe_load_all(pathlib.Path(path).read_text())]
known = set(re.findall(r"^#?([A-Z_0-9]+)=", pathlib.Path(".env.example").read_text(), re.MULTILINE))
used = {name for d in documents if d["kind"] in ("ConfigMap", "Secret") for name in d.get("data", {}) | d.get("stringData", {})}
pods = [d["spec"]["template"]["spec"] for d in documents if d["kind"] in ("Deployment", "Job")]
used |= {variable["name"] for pod in pods for container in pod["containers"] for variable in container.get("env", [])}
if unknown := used - known:
    sys.exit(f"not a setting in .env.example: {', '.join(sorted(unknown))}")
listed = yaml.safe_load(pathlib.Path("deploy/kubernetes/kustomization.yaml").read_text())["resources"]
if missing := [name for name in listed if not pathlib.Path("deploy/kubernetes", name).exists()]:
    sys.exit(f"kustomization.yaml lists what is not there: {', '.join(missing)}")
print(f"{len(documents) - 1} resources are valid; {len(used)} settings exist.")
PYTHON
