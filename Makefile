# What a person types. Each target installs what it needs and this machine lacks (through apt, without asking), or says
# in one line what to install.

.DEFAULT_GOAL := help
.PHONY: help demo test campaign bench fuzz schemathesis lint openapi image prove

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 21

demo: ## the whole product with its own database, demo data and an offline advisor
	@scripts/ensure.sh cargo cc $(if $(DATABASE_URL),,postgres)
	cargo build --locked
	@cargo run --locked --quiet -- demo

test: ## every test (WEB=0 leaves out the ones that need Node and Chromium)
	@scripts/ensure.sh cargo cc c++ postgres $(if $(filter 0,$(WEB)),,node chromium)
	@scripts/with-test-postgres.sh scripts/test.sh

campaign: ## about 20 minutes of faults; writes the table of RELIABILITY.md (ARGS="--seed N --phases a,b")
	@scripts/ensure.sh cargo cc postgres
	PROPTEST_CASES=5000 cargo test --locked --features failpoints --lib --quiet
	cargo test --locked --features failpoints --test campaign -- --full --json target/campaign.json --page RELIABILITY.md $(ARGS)

bench: ## the benchmarks, about ten minutes (ARGS=--quick: three; ARGS="--only burst": of the whole server only that)
	@scripts/ensure.sh cargo cc postgres
	@cargo bench --locked --bench engine --bench extraction
	@ulimit -n "$$(ulimit -H -n)" && scripts/with-test-postgres.sh --durable cargo bench --locked --bench load -- $(ARGS)

fuzz: ## every reader of outside data, fed with what nobody thought of (FUZZ_SECONDS each, default 60)
	@scripts/ensure.sh cargo cc c++
	@scripts/fuzz.sh

schemathesis: ## every operation of openapi.yaml with right and wrong data, as each role (SCHEMATHESIS_MAX_EXAMPLES, _SEED)
	@scripts/ensure.sh cargo cc postgres python
	@scripts/with-test-postgres.sh scripts/schemathesis.sh

lint: ## format, clippy and documentation, warnings are errors
	@scripts/ensure.sh cargo cc c++
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	cargo clippy --locked --lib --bins --test campaign --features failpoints,fuzzing,otel -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

openapi: ## writes openapi.yaml from the code
	@scripts/ensure.sh cargo cc
	cargo run --locked --quiet -- openapi >openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

image: ## the container image plan-advisor
	docker build --tag plan-advisor .

prove: ## installing on a clean Debian, as root, with sudo, and without (needs root and debootstrap)
	scripts/prove-clean-machine.sh .
