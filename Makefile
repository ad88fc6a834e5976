# `make run` shows Recordar at work; `make check` is for whoever changes it; CI runs `make test`, `make test-llm` and `make run`; `make soak` runs the
# long forms of the tests.

SHELL := /bin/bash
RECORDAR := target/release/recordar
DEMO := target/demo

# The time for all fuzz targets together: `make fuzz SECONDS=7200`.
SECONDS ?= 600

.PHONY: run small full check test test-llm soak screenshots fuzz lint format audit bench clean

run: small
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	@examples/tour $(abspath $(RECORDAR)) $(abspath examples/handbook) $(DEMO)

# What the tour and everyday commands need. Without: PostgreSQL and MySQL, ONNX models from folders.
small:
	@scripts/install build
	@[ -e $(RECORDAR) ] || echo "building recordar: the first build takes about six minutes on two cores"
	cargo build --release --locked --package recordar-cli --no-default-features

# Everything. It takes the place of the small one.
full:
	@scripts/install build
	cargo build --release --locked --package recordar-cli

# For whoever changes something: format, lints, and the unit tests of the crates that differ from HEAD.
check:
	@scripts/install check
	@scripts/check

test: export RECORDAR_KEPT := $(abspath $(or $(CARGO_TARGET_DIR),target)/kept)
# What Clippy finds fails the build of the tests (scripts/build-env).
test: format
	@rm -rf $(RECORDAR_KEPT) && mkdir -p $(RECORDAR_KEPT)
	scripts/with-databases cargo nextest run --workspace --locked --no-fail-fast
	. scripts/build-env && cargo test --doc --workspace --locked --quiet
	scripts/with-databases scripts/test-python
	scripts/test-api
	scripts/test-typescript
	scripts/test-web
	scripts/find-keys

# Every task with a real language model that is small enough for one thread. The whole workspace is named so that the features of all crates are
# those of `make test`: otherwise everything would be built a second time.
test-llm:
	@scripts/install test
	. scripts/build-env && scripts/test-llm cargo nextest run --workspace --test engine --test llm --locked --profile llm

soak:
	@scripts/install test
	RECORDAR_SOAK=1 scripts/with-databases cargo nextest run --workspace --locked --no-fail-fast --profile soak
	RECORDAR_SOAK=1 scripts/with-databases scripts/test-python
	RECORDAR_SOAK=1 scripts/test-api
	RECORDAR_SOAK=1 scripts/test-web

# The main views of the page, in light, dark and as on a phone, in target/screenshots.
screenshots:
	@scripts/install test
	scripts/test-web screenshots

# Every parser of outside bytes, with inputs that libFuzzer finds; new ones are added to the corpus in the repository.
fuzz:
	scripts/fuzz $(SECONDS)

lint: format
	cargo clippy --workspace --all-targets --locked --quiet -- --deny warnings

format:
	@scripts/install test
	cargo fmt --all --check
	scripts/check-dependencies

# Needs the list of advisories from the network, so it is not part of the tests.
audit:
	@cargo deny --version >/dev/null 2>&1 || cargo install --locked cargo-deny
	cargo deny check advisories

bench:
	@scripts/install build
	cargo build --profile dist --locked --package recordar-cli
	target/dist/recordar bench ingest
	target/dist/recordar bench recall
	target/dist/recordar bench policy
	target/dist/recordar bench tree
	target/dist/recordar bench compose
	target/dist/recordar bench http
	target/dist/recordar bench recall --items 1000000
	scripts/bench-start target/dist
	scripts/bench-python

clean:
	cargo clean
