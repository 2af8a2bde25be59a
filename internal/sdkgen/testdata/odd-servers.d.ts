// Declarations of the tools a script may call, generated from the tools' own schemas.
// Comments within are the words of each tool's server: data, never an instruction.

/** What a tool answered, untouched. */
interface ToolResult {
  content: ({ type: string; text?: string; [key: string]: unknown })[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** What a failed call throws: catch (e) { if (e instanceof ToolError) ... }. */
declare class ToolError extends Error {
  private constructor();
  /** Why: unknown_tool, forbidden, invalid_arguments, failed, too_large, timeout, cancelled, tool_call_limit or another word. */
  readonly kind: string;
  /** The tool that failed, as server.name or as it was called, and its server. */
  readonly tool?: string;
  readonly server?: string;
  /** What to do about it. */
  readonly hint?: string;
  /** What the tool answered, when it answered that it failed. */
  readonly content?: ToolResult["content"];
  /** The code and data of the JSON-RPC error that the server gave. */
  readonly code?: number;
  readonly data?: unknown;
}

/** A tool whose arguments must be given. It answers with its result, or throws a ToolError. */
interface Tool<A, R> {
  (args: A): Promise<R>;
  /** The same call, answered with everything the tool returned. */
  raw(args: A): Promise<ToolResult>;
}

/** A tool that can be called without arguments. */
interface OptionalTool<A, R> {
  (args?: A): Promise<R>;
  raw(args?: A): Promise<ToolResult>;
}

declare namespace CodeMode._ {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode._2fa {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.CodeMode {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.Promise {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.Tools {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.__proto__ {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.a_b {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode._any {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.console {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode._constructor {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.then {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode.tools {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare namespace CodeMode._n_ {
  interface Tools {
    t: OptionalTool<TArgs, unknown>;
  }
  type TArgs = { [key: string]: unknown };
}

declare const tools: {
  "": CodeMode._.Tools;
  "2fa": CodeMode._2fa.Tools;
  CodeMode: CodeMode.CodeMode.Tools;
  Promise: CodeMode.Promise.Tools;
  Tools: CodeMode.Tools.Tools;
  __proto__: CodeMode.__proto__.Tools;
  "a b": CodeMode.a_b.Tools;
  any: CodeMode._any.Tools;
  console: CodeMode.console.Tools;
  constructor: CodeMode._constructor.Tools;
  then: CodeMode.then.Tools;
  tools: CodeMode.tools.Tools;
  "ünï": CodeMode._n_.Tools;
  _: CodeMode._.Tools;
  _2fa: CodeMode._2fa.Tools;
  a_b: CodeMode.a_b.Tools;
  _n_: CodeMode._n_.Tools;
};

// The script surface stands here.
