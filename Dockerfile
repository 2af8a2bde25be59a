# Two stages: the first links V8 and needs a C++ compiler, the second holds only
# the program. Build: docker build -t codemode-mcp .
# There is no Node and no Python in it: README.md says how npx servers get them.
# Config files must be readable by user 10001.
# Use:   docker run -i --rm -v "$PWD:/workspace:ro" codemode-mcp serve --workspace /workspace
FROM golang:1.26-bookworm AS build
WORKDIR /src
# The folder holds no .git, so the version is told: --build-arg VERSION=v1.2.3
ARG VERSION=dev
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY internal internal
RUN go build -trimpath -ldflags "-s -w -X main.injectedVersion=$VERSION" -o /out/codemode-mcp ./cmd/codemode-mcp

FROM debian:bookworm-slim
# V8 is C++: it needs libstdc++ and nothing else.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libstdc++6 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin codemode
COPY --from=build /out/codemode-mcp /usr/local/bin/codemode-mcp
USER 10001
ENTRYPOINT ["codemode-mcp"]
# Without arguments it serves MCP over stdio.
