#!/usr/bin/env bash
# Pins the images of Dockerfile and compose.yaml to what their tags name today, or renews the pins: name:tag@sha256:….
# Asks the registry through the first of crane, skopeo and docker that is here.
set -euo pipefail
cd "$(dirname "$0")/.."

digest_of() {
  if command -v crane >/dev/null; then
    crane digest "$1"
  elif command -v skopeo >/dev/null; then
    skopeo inspect --format '{{.Digest}}' "docker://$1"
  elif docker info >/dev/null 2>&1; then
    docker pull --quiet "$1" >/dev/null
    docker image inspect --format '{{index .RepoDigests 0}}' "$1" | sed 's/.*@//'
  else
    echo "No registry can be asked: install crane or skopeo, or start Docker." >&2
    return 1
  fi
}

# Stages and our own image have no tag.
images=$(sed -nE 's/^FROM ([^ @]+:[^ @]+).*/\1/p; s/^ +image: ([^ @]+:[^ @]+).*/\1/p' Dockerfile compose.yaml | sort -u)
for image in $images; do
  digest=$(digest_of "$image")
  [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || { echo "$image: no digest: $digest" >&2; exit 1; }
  sed -i -E "s#^(FROM | +image: )${image//./\\.}(@sha256:[0-9a-f]+)?( |\$)#\1$image@$digest\3#" Dockerfile compose.yaml
  echo "$image@$digest"
done
