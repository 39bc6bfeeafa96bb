# make test is what CI runs, make test-all everything; make check is what must hold before a commit.

GO      ?= go
BIN     := bin/nodetriage
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.linked=$(VERSION)
# Left out of the program: Kustomize's plugins, which need a C library, and the tracing pages of gRPC, whose templates
# keep every method of every type.
TAGS    := kustomize_disable_go_plugin_support,grpcnotrace
# Everywhere, so that what is compiled for checks is what the program and the lab need. The race detector alone needs cgo.
export GOFLAGS := -trimpath -tags=$(TAGS) $(GOFLAGS)
export CGO_ENABLED := 0

# Calls are inlined only where that makes the program faster: in the standard library, in decoders, and where evidence is read and
# matched. Elsewhere it makes the program 5.8 MB larger (docs/decisions/0012). .goreleaser.yaml has the same list.
OURS   := github.com/nodetriage/nodetriage
INLINE := all=-l std= $(OURS)/knowledge/...= $(OURS)/evidence/...= $(OURS)/collect/...= $(OURS)/triage/timeline= \
	github.com/klauspost/...= github.com/ulikunitz/...= go.yaml.in/...= sigs.k8s.io/yaml/...=

GOLANGCI    := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0
HUGO        := github.com/gohugoio/hugo@v0.165.0
PROMTOOL    := github.com/prometheus/prometheus/cmd/promtool@v0.316.0
GORELEASER  := github.com/goreleaser/goreleaser/v2@v2.16.0
# A number of inputs, not seconds: at the end of a time go test may say "context deadline exceeded" and fail for nothing.
FUZZTIME    ?= 1000x

comma := ,

.PHONY: all build agent controller demo test prepare knowledge-check test-all unit race cases lab lab-today chart monitoring lab-quick lab-long faulty remedies agree hostile rotate fuzz check check-quick lint vet vet-systems format laws tidy generate generated size alerts vuln bench scorecard stories stories-kept peers conformance conformance-releases rule probe cause accuracy knowledge licences release trial reproduce pictures site clean

all: build

build: ## the program, also under the names by which kubectl finds it
	$(GO) build $(INLINE:%='-gcflags=%') -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/nodetriage
	ln -sf nodetriage bin/kubectl-nodetriage
	ln -sf nodetriage bin/kubectl_complete-nodetriage

# Without the tracing pages of gRPC and without a second HTTP/2: a program that is smaller has fewer pages in memory.
AGENT_TAGS := grpcnotrace,nethttpomithttp2

agent: ## the agent for nodes, one static file
	$(GO) build $(INLINE:%='-gcflags=%') -tags $(AGENT_TAGS) -ldflags '$(LDFLAGS)' -o bin/nodetriage-agent ./cmd/nodetriage-agent

controller: ## the controller for clusters, which publishes why nodes are unhealthy
	$(GO) build $(INLINE:%='-gcflags=%') -ldflags '$(LDFLAGS)' -o bin/nodetriage-controller ./cmd/nodetriage-controller

demo: build ## the main job on a recorded incident
	@$(BIN) diagnose --example || test $$? -eq 3

# The program is built as the tests are: with other flags for what is inlined, everything that it links would be compiled again.
test: INLINE :=
test: prepare check-quick unit race cases lab-today ## what a change can break, in the time that CI has

prepare: ## the packages of Debian that tests need; says what it leaves out
	@hack/prepare.sh

test-all: prepare check unit race cases agree fuzz lab lab-long faulty ## and the long plays: before a release

unit:
	$(GO) test -timeout 40m ./...

# The packages in which goroutines share data.
race:
	CGO_ENABLED=1 $(GO) test -race -short -timeout 40m ./kube ./live ./collect ./collect/survey ./ask ./cloud/azure/gate/signals ./execute ./agent ./cmd/nodetriage-agent ./controller/... ./mcp

cases: build ## every recorded incident must give its confirmed cause
	$(BIN) test cases

knowledge-check: build ## what a cause, a signature or a case can break, in a minute; BASE=REVISION: since then
	GO=$(GO) BASE=$(BASE) hack/knowledge-check.sh $(BIN)

# The long plays of the lab: random clusters drained, upgraded and foretold.
LONG := ./drain ./upgrade ./conformance

lab: build chart ## against a real API server, built from Go modules
	GO=$(GO) hack/lab.sh $(or $(PART),all)

lab-today: build ## a fifth of it, another one each day; make lab PART=3 plays the third
	GO=$(GO) hack/lab.sh today

chart: ## real Helm installs the chart in the lab, with every value
	GO=$(GO) hack/unchanged.sh chart charts deploy lab/chart hack/release/trial/testdata/switches.yaml -- sh -c 'cd lab && $$GO test -count=1 -timeout 40m ./chart'

monitoring: ## real Prometheus and Alertmanager with the controller: scrape, rules, board, alert webhook; they take minutes to build
	cd lab && NODETRIAGE_MONITORING=1 $(GO) test ./controller -run '^TestMonitoring$$' -v -count=1 -timeout 40m

lab-quick: build ## the part of it that takes minutes: the program against real API servers, and nodes that start and stop
	cd lab && $(GO) test -p 2 -count=1 -timeout 30m $$($(GO) list ./... | grep -vE '/lab/(drain|upgrade|conformance|scenario|verify|azure|nodecheck|story|race)$$')

lab-long: build ## the long plays of the lab; PLAY=./drain plays one of them
	cd lab && $(GO) test -p 3 -count=1 -timeout 150m $(or $(PLAY),$(LONG)) # the programs of six other versions are built too

faulty: build ## every page of every list fails in every way, before every command: none may call well what it could not read; ONLY='^why' plays these commands
	cd lab && $(GO) test ./faulty -v -count=1 -timeout 0 -each 0 -of 1 $(if $(ONLY),-only '$(ONLY)')

remedies: build ## do what findings advise on broken nodes of the lab; PLAY=runtime-stopped,bus-hung plays these
	cd lab && $(GO) test ./scenario -run '^TestRemedies$$' -remedies $(or $(PLAY),all) -v -count=1 -timeout 60m

agree: ## check, drain, upgrade, why and predict against each other on 10,000 random clusters
	$(GO) test -timeout 30m ./cmd/nodetriage -run '^TestCommandsAgree$$' -clusters 10000

hostile: ## hostile inputs before all commands: an hour or two; PART=small and PART=large play one half
	NODETRIAGE_HOSTILE=$(or $(PART),all) $(GO) test ./cmd/nodetriage -run '^TestHostileInputs$$' -v -count=1 -timeout 0

rotate: ## one part of the long plays, another one each day; ROTATE=drain plays that one
	GO=$(GO) hack/rotate.sh

fuzz: ## every fuzz target, shortly
	GO=$(GO) FUZZTIME=$(FUZZTIME) hack/fuzz.sh

check: check-quick size lint ## what must hold before a commit

# The linters, and the program as it is released, take minutes to compile; GitHub checks them for each commit, and make rotate on one day
# in nine.
check-quick: format vet generated alerts vuln licences laws

format:
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w'; exit 1; }
	@git ls-files | cut -d/ -f1 | LC_ALL=C sort -u | cmp - testdata/top.txt || { echo 'testdata/top.txt names what is at the top of the repository: git ls-files | cut -d/ -f1 | LC_ALL=C sort -u'; exit 1; }

vet:
	$(GO) vet ./...
	cd lab && $(GO) vet ./...
	cd lab/cmd/bench && $(GO) vet ./...
	cd hack/release && $(GO) vet ./...

lint:
	$(GO) run $(GOLANGCI) run ./...

SYSTEMS ?= linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
vet-systems: ## the program as other systems see it; apart, for everything is compiled for each of them
	for s in $(SYSTEMS); do GOOS=$${s%/*} GOARCH=$${s#*/} $(GO) vet ./cmd/nodetriage || exit; done

laws: ## which package may import which, and that each says what it is for
	$(GO) test -timeout 40m . # as unit does, which takes the result from the cache then

tidy: ## go.mod of all modules, with what Kubernetes needs pinned
	GO=$(GO) hack/tidy.sh
	cd lab && GO=$(GO) ../hack/tidy.sh
	cd lab/cmd/bench && GO=$(GO) ../../../hack/tidy.sh
	cd hack/release && $(GO) mod tidy

generate: ## the list of rules, what is made of signatures, catalog, rules and commands, and the program with all that
	hack/list-rules.sh
	GO=$(GO) hack/generate-api.sh
	GO=$(GO) hack/generate-deploy.sh
	$(GO) run ./cmd/nodetriage/gendocs
	GO=$(GO) hack/generate-gate.sh
	$(MAKE) build

generated: ## the list of rules and the generated pages must be up to date
	hack/list-rules.sh -check
	$(GO) run ./cmd/nodetriage/gendocs -check
	GO=$(GO) hack/unchanged.sh api go.mod api deploy/crds charts/nodetriage/files hack/generate-api.sh -- hack/generate-api.sh -check
	GO=$(GO) hack/unchanged.sh gate go.mod cloud/azure/gate lab/upgradegate/crds hack/generate-gate.sh -- hack/generate-gate.sh -check
	GO=$(GO) hack/unchanged.sh deploy charts deploy hack/generate-deploy.sh -- hack/generate-deploy.sh -check

size: build controller ## the programs stay small
	hack/size.sh $(BIN) 57000000
	hack/size.sh bin/nodetriage-controller 45000000

alerts: ## each alert fires when it must, and only then
	GO=$(GO) hack/unchanged.sh alerts charts/nodetriage/files -- sh -c '$$GO run -tags remove_all_sd $(PROMTOOL) test rules charts/nodetriage/files/alerts_test.yaml charts/nodetriage/files/alerts-upgrade-gate_test.yaml'

vuln: ## known vulnerabilities in what we link; OFFLINE=1 goes on where the checker or its database cannot be had
	GO=$(GO) hack/vuln.sh $(GOVULNCHECK)

bench: build agent ## figures against the floor and a peer, see docs/measurements/benchmarks.md
	cd lab/cmd/bench && $(GO) run . plans && $(GO) run . placement && $(GO) run . -nodetriage ../../../$(BIN) && $(GO) run . evict -nodetriage ../../../$(BIN)
	cd lab/cmd/bench && $(GO) run . read -nodetriage ../../../$(BIN) -data "$(abspath $(MUST_GATHER))"
	$(GO) test ./mechanics/placement/scheduler -run '^$$' -bench Fit -benchtime 1x
	$(GO) test ./cloud/azure -run TestReadBudget -count=1 -v
	cd lab && $(GO) test ./azure -run TestProgramReads -count=1 -v
	$(GO) test ./collect -run '^$$' -bench ReadLog -benchtime 5x
	$(GO) test ./knowledge/signatures -run '^$$' -bench 'Scan|Ripgrep' -benchtime 1x -timeout 30m
	@test "$$(id -u)" -ne 0 || (cd lab && $(GO) run ./cmd/agentbench -agent ../bin/nodetriage-agent) # real nodes need root on Linux

scorecard: build ## break real nodes in every way, judge, and write docs/measurements/scorecard.md and the cases; needs root on Linux
	cd lab && $(GO) run ./cmd/scorecard -nodetriage ../$(BIN) -o ../docs/measurements/scorecard.md -cases ../cases
	cd lab && $(GO) run ./cmd/scorecard -systemd -nodetriage ../$(BIN) -o ../docs/measurements/scorecard-systemd.md -cases ../cases

stories: build ## judge the stories that are kept in LOOKS=FOLDER,FOLDER again, and docs/measurements/stories.md
	@test -n "$(LOOKS)" || { echo 'say where the looks are: make stories LOOKS=FOLDER,FOLDER; cd lab && go run ./cmd/stories -looks FOLDER plays new ones'; exit 2; }
	cd lab && $(GO) run ./cmd/stories -replay -nodetriage ../$(BIN) -looks $(LOOKS) -o ../docs/measurements/stories.md

KEPT := story/testdata
stories-kept: build ## judge the stories that are kept here again, and docs/measurements/stories-systemd.md and docs/measurements/stories-relapses.md
	cd lab && $(GO) run ./cmd/stories -replay -nodetriage ../$(BIN) -looks $(KEPT)/kept -pack $(KEPT)/kept -o ../docs/measurements/stories-systemd.md
	cd lab && $(GO) run ./cmd/stories -replay -nodetriage ../$(BIN) -looks $(KEPT)/relapses -pack $(KEPT)/relapses -o ../docs/measurements/stories-relapses.md

peers: build ## change one of three real nodes in every way, ask what sets it apart, and docs/measurements/differences.md; about an hour; needs root on Linux
	cd lab && $(GO) run ./cmd/peers -nodetriage ../$(BIN) -o ../docs/measurements/differences.md

conformance: build ## predict against real control planes, and docs/measurements/conformance.md; about 20 minutes
	cd lab && $(GO) run ./cmd/conformance -nodetriage ../$(BIN) -o ../docs/measurements/conformance.md

conformance-releases: build ## a part of it on other versions of Kubernetes, and docs/measurements/kubernetes.md; RELEASES=1.31,1.37 plays these
	cd lab && $(GO) run ./cmd/conformance -nodetriage ../$(BIN) -kubernetes $(or $(RELEASES),all) -o ../docs/measurements/kubernetes.md
	cd lab && for minor in $(subst $(comma), ,$(RELEASES)); do $(GO) test -count=1 . -run '^TestPlacementIsTheSchedulers$$' -kubernetes $$minor || exit 1; done

rule: ## lay down a rule with its fixtures: make rule NAME=id IN=nodes
	@hack/new-rule.sh $(NAME) $(IN)

probe: ## lay down a probe of the agent, its rule and their fixtures: make probe NAME=id
	@hack/new-probe.sh $(NAME)

cause: ## lay down the page of a cause with its cases: make cause NAME=id
	@hack/new-cause.sh $(NAME)

accuracy: ## the cases in every kind of change: the failures by kind, accuracy/figures.yaml, accuracy/failing.txt and docs/measurements/accuracy.md
	$(GO) run ./accuracy/cmd/accuracy -write

knowledge: build ## what nodetriage knows as one file, bin/nodetriage-knowledge.tar; KEY=FILE signs it
	hack/knowledge.sh $(BIN) bin/nodetriage-knowledge.tar $(VERSION) $(KEY)

licences: ## no module of the programs has a licence outside the list
	cd hack/release && $(GO) test . && $(GO) build -o ../../bin/release .
	bin/release -licences -tags $(TAGS)

# TARGETS=linux/amd64,darwin/arm64 makes some of them; KEY=FILE signs the knowledge by that private key of minisign.
release: licences ## what people install, of this commit, in dist: archives, packages, lists of parts and sums
	bin/release -goreleaser $(GORELEASER) -tags $(TAGS) -agent-tags $(AGENT_TAGS) $(if $(TARGETS),-targets $(TARGETS)) $(if $(BUILDER),-builder $(BUILDER)) $(if $(KEY),-key $(KEY))

trial: BUILDER ?= https://example.com/trial
trial: release ## what make release made, used with Helm, krew, a registry, dpkg, rpm, minisign and cosign
	cd hack/release && $(GO) test ./trial -count=1 -timeout 30m -dist ../../../dist
	@test "$$(id -u)" -ne 0 || (cd lab && $(GO) test ./agent -run '^Test(Chart|Unit)$$' -count=1 -timeout 40m -dist ../../dist) # real nodes need root on Linux

reproduce: ## two releases of the same commit must have the same sums; TARGETS as for release
	hack/reproduce.sh "$(TARGETS)"

pictures: ## terminals with answers about recorded incidents as SVG, in docs/pictures; then the answers on pages that people write
	$(GO) test ./cmd/nodetriage -run '^TestPictures$$' -count=1 -update-pictures
	$(GO) test ./cmd/nodetriage -run '^TestReadmeAndPages$$' -count=1 -update-pages

# Hugo is compiled as it is, without our tags: five minutes of one processor, once.
site: build ## README and docs as a site in dist/site, with a search, the schemas and answers to recorded incidents
	rm -rf dist/site
	$(GO) run ./site pages $(BIN) dist/site-pages
	GOFLAGS= HUGO_PARAMS_VERSION=$(VERSION) $(GO) run $(HUGO) --quiet --noBuildLock --panicOnWarning --source site --destination ../dist/site
	$(GO) run ./site finish dist/site

clean:
	rm -rf bin dist
