# What a person types. Each target installs what it needs and this machine lacks (through apt, without asking), or says
# in one line what to install.

.DEFAULT_GOAL := help
.PHONY: help demo test campaign bench lint openapi image prove

help: ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

demo: ## the whole product with its own database, demo data and an offline advisor
	@scripts/ensure.sh cargo cc $(if $(DATABASE_URL),,postgres)
	cargo build --locked
	@cargo run --locked --quiet -- demo

test: ## every test (WEB=0 leaves out the ones that need Node and Chromium)
	@scripts/ensure.sh cargo cc postgres $(if $(filter 0,$(WEB)),,node chromium)
	@scripts/with-test-postgres.sh scripts/test.sh

campaign: ## about 20 minutes of faults; writes the table of RELIABILITY.md (ARGS="--seed N --phases a,b")
	@scripts/ensure.sh cargo cc postgres
	cargo test --locked --features failpoints --test campaign -- --full --json target/campaign.json --page RELIABILITY.md $(ARGS)

bench: ## the benchmarks
	@scripts/ensure.sh cargo cc postgres
	@scripts/with-test-postgres.sh cargo bench --locked

lint: ## format, clippy and documentation, warnings are errors
	@scripts/ensure.sh cargo cc
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	cargo clippy --locked --all-targets --features failpoints -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --document-private-items

openapi: ## writes openapi.yaml from the code
	@scripts/ensure.sh cargo cc
	cargo run --locked --quiet -- openapi >openapi.yaml.new
	mv openapi.yaml.new openapi.yaml

image: ## the container image plan-advisor
	docker build --tag plan-advisor .

prove: ## installing on a clean Debian, as root, with sudo, and without (needs root and debootstrap)
	scripts/prove-clean-machine.sh .
