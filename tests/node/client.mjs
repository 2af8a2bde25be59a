// A client written in another language, with the official TypeScript SDK: lists,
// calls a tool, runs a script, reads the resource, cancels a run.
// Started by tests/node_test.go, which names the binary and the workspace.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [binary, workspace] = [process.env.CODEMODE_TEST_BINARY, process.env.CODEMODE_TEST_WORKSPACE];

async function connect() {
  const client = new Client({ name: "node-client", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: binary, args: ["serve", "--workspace", workspace, "--log-level", "error"] }),
  );
  return client;
}

test("lists, calls, runs, reads", async () => {
  const client = await connect();
  try {
    const { tools } = await client.listTools();
    const names = tools.map((t) => t.name);
    assert.ok(names.includes("execute_script") && names.includes("read_file"), names.join());

    const direct = await client.callTool({ name: "read_file", arguments: { path: "hello.txt" } });
    assert.equal(direct.structuredContent.content, "hello from the workspace\n");

    const steps = [];
    const run = await client.callTool(
      {
        name: "execute_script",
        arguments: {
          script: `let f;
            for (let i = 0; i < 40; i++) f = await tools.read_file({path: "hello.txt"});
            return {length: f.content.length, n: args.n}`,
          arguments: { n: 7 },
        },
      },
      undefined,
      { onprogress: (p) => steps.push(p.message) },
    );
    assert.deepEqual(run.structuredContent.result, { length: 25, n: 7 });
    // The SDK drops a notification that stands in one chunk with the answer, so
    // only the first steps are sure to be seen.
    assert.equal(steps[0], "call 1: read_file");
    assert.deepEqual(JSON.parse(run.content[0].text), run.structuredContent);

    const failed = await client.callTool({ name: "execute_script", arguments: { script: "return (" } });
    assert.equal(failed.isError, true);
    assert.equal(failed.structuredContent.kind, "syntax_error");

    const { contents } = await client.readResource({ uri: "codemode://code-mode/sdk.d.ts" });
    assert.equal(contents[0].mimeType, "text/typescript");
    assert.match(contents[0].text, /read_file/);
    assert.doesNotMatch(contents[0].text, /execute_script\(/);
  } finally {
    await client.close();
  }
});

test("cancels a run, and the next one works", async () => {
  const client = await connect();
  try {
    const abort = new AbortController();
    const endless = client.callTool({ name: "execute_script", arguments: { script: "for (;;) {}" } }, undefined, {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort("enough"), 300);
    await assert.rejects(endless);
    const start = Date.now();
    const next = await client.callTool({ name: "execute_script", arguments: { script: "return 6 * 7" } });
    assert.equal(next.structuredContent.result, 42);
    assert.ok(Date.now() - start < 10_000);
  } finally {
    await client.close();
  }
});
