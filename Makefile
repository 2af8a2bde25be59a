# Each target says why it is there. Plain "go build ./... && go test ./..." work too.

GO ?= go
BIN := bin/codemode-mcp
GOTEST = $(GO) test -json
REPORT = $(GO) run ./tests/report

# The main job: build, then one script over this project's own source.
.PHONY: demo
demo: build
	$(BIN) run examples/who-calls.js --args '{"method": "Close", "path": "cmd"}'

# The first build links V8 and takes a minute.
.PHONY: build
build:
	$(GO) build -o $(BIN) ./cmd/codemode-mcp

# Everything that needs no network and no other program.
.PHONY: test
test:
	$(GOTEST) ./... | $(REPORT)

# What make test runs, and what needs npm packages or the race detector.
.PHONY: test-all
test-all: test race test-node conformance test-nginx

# Workers can't live under their memory limit with the race detector, so the
# stories in tests/ run a program built without it.
.PHONY: race
race:
	$(GOTEST) -short -race ./cmd/... ./internal/... | $(REPORT)

# Clients, compilers and servers of others: npm packages, and gopls.
GOPLS := bin/gopls
.PHONY: test-node
test-node: tests/node/node_modules $(GOPLS)
	$(GOTEST) -tags node -run 'TestNode|TestTypes|TestRealServers|TestGopls' ./tests | $(REPORT)

# The suite of the MCP project in both eras, against our HTTP stack and our
# upstream manager, and the inspector against the program. They bring their own
# Node: they need a newer one than most machines have.
.PHONY: conformance
conformance: tests/conformance/node_modules
	$(GOTEST) -tags conformance -run 'TestConformance|TestInspector' ./tests | $(REPORT)

tests/conformance/node_modules: tests/conformance/package-lock.json
	cd tests/conformance && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# A script of 90 s behind nginx with its defaults (apt-get install nginx).
.PHONY: test-nginx
test-nginx:
	$(GOTEST) -tags nginx -run TestNginx ./tests | $(REPORT)

# Two hundred sessions of twenty principals for a few minutes: what is lost,
# crossed or leaked, and the figures.
.PHONY: load
load:
	$(GO) test -tags load -run TestLoad -count=1 -timeout 30m -v ./tests

# The newest that builds with this Go.
$(GOPLS):
	GOBIN=$(abspath bin) $(GO) install golang.org/x/tools/gopls@v0.23.0

tests/node/node_modules: tests/node/package-lock.json
	cd tests/node && npm ci --no-audit --no-fund
	touch $@

# Format, vet and static analysis: what CI refuses.
.PHONY: check
check:
	@test -z "$$(gofmt -l cmd internal tests)" || { gofmt -l cmd internal tests; echo "run gofmt -w on these"; exit 1; }
	$(GO) vet ./...
	$(GO) vet -tags node,bench,hostile,tokens,conformance,nginx,load ./tests
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 -tags node,bench,hostile,tokens,conformance,nginx,load ./...

# What a model reads, in tokens of a real tokenizer, for the lists of real servers.
.PHONY: tokens
tokens:
	$(GO) test -tags tokens -run TestTokens -count=1 -v ./tests

# Every hostile script with its end, its time and the memory of its worker; then
# workers killed at random, and ten thousand runs whose memory must stay flat.
.PHONY: hostile
hostile:
	$(GO) test -tags hostile -run '^(TestHostile.*|TestKillStorm|TestMemoryIsFlat)$$' -count=1 -v ./tests

# Figures of this machine, in one run: compare ratios, not runs.
.PHONY: bench
bench:
	$(GO) test -tags bench -run TestBench -count=1 -v ./tests

# Rewrite golden files. Read the diff.
.PHONY: update-golden
update-golden:
	$(GO) test ./tests -run 'TestScripts|TestWire|TestDocs|TestLanguage|TestDialects' -update
	$(GO) test ./internal/workspace ./internal/sdkgen -update

# Rebuild the bundles of npm packages that the isolate loads: the lock file
# decides what is in them. Commit what changed; never edit them by hand.
.PHONY: parts
parts:
	cd tools/js && npm ci --no-audit --no-fund && npm run build
