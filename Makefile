# Everything but lint and vuln needs Go and nothing else.
GO ?= go
GOLANGCI = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
FUZZTIME ?= 10s

.PHONY: build test check lint fmt generated bench fuzz demo corpus

build: ## the program, in bin/
	$(GO) build -trimpath -o bin/ddbvet ./cmd/ddbvet

test: ## all tests that need only Go
	$(GO) test ./...

check: lint generated ## format, lint, vet, tests with the race detector, generated files current
	$(GO) vet ./...
	$(GO) test -race ./...

lint:
	$(GO) mod tidy -diff
	$(GOLANGCI) run --allow-parallel-runners ./...

fmt:
	$(GOLANGCI) fmt ./...

generated: build ## fails when the README's output is stale; the metrics fixtures have a test of their own
	$(GO) run ./fixtures/readme -check

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

fuzz: ## every fuzz target for FUZZTIME
	@set -e; for pkg in $$($(GO) list ./...); do \
	  for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$target"; $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg; \
	  done; done

demo: build ## lints the shipped designs and decides the shipped metrics
	-bin/ddbvet lint --fail-on never fixtures/designs
	bin/ddbvet capacity --metrics fixtures/cost/steady.csv.gz --describe fixtures/cost/steady.describe.json
	bin/ddbvet capacity --metrics fixtures/cost/spiky.csv.gz --describe fixtures/cost/spiky.describe.json

corpus: build ## compares inspect with the corpus at CORPUS, with COMPARE
	python3 $(COMPARE) bin/ddbvet $(CORPUS)
