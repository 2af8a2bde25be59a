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

declare namespace CodeMode.s {
  interface Tools {
    anchors: OptionalTool<AnchorsArgs, unknown>;
    bad: OptionalTool<BadArgs, BadResult>;
    good: OptionalTool<GoodArgs, unknown>;
    pointers: OptionalTool<PointersArgs, unknown>;
    pydantic: OptionalTool<PydanticArgs, unknown>;
    siblings: OptionalTool<SiblingsArgs, unknown>;
    siblings07: OptionalTool<Siblings07Args, unknown>;
  }
  type AnchorsArgs = {
    a?: AnchorsFirst;
    b?: AnchorsTwo;
    c?: AnchorsIn;
    d?: unknown /* $ref "other.json" leads out of the schema */;
    e?: unknown /* $ref "#/$defs/missing" is not in the schema */;
    f?: unknown /* $ref "#nope" is not in the schema */;
    g?: unknown /* $ref "file:///etc/passwd" leads out of the schema */;
  };
  type AnchorsFirst = { x?: string };
  type AnchorsTwo = { y?: AnchorsIn };
  type AnchorsIn = 1 | 2;
  type BadArgs = { id?: string };
  type BadResult = { screen?: unknown /* $ref "#/$defs/Missing" is not in the schema */ };
  type GoodArgs = { q?: string };
  type PointersArgs = {
    "a/b~c"?: {
      /** [at least 1 character] */
      leaf?: string;
    } | null;
    $and?: PointersAnd;
  };
  type PointersAnd = {
    /** [at least 1 character] */
    x?: PointersX;
    again?: PointersAnd;
    pct?: PointersX;
  }[];
  type PointersX = string;
  /** searchArguments */
  type PydanticArgs = {
    /** [default null] */
    filter?: PydanticFilter | null;
  };
  type PydanticFilter = { tag: string };
  type SiblingsArgs = {
    /** With a sibling. */
    p?: SiblingsP & { y: number; x: unknown };
  };
  type SiblingsP = { x?: string };
  type Siblings07Args = {
    /** Draft-07: only this comment counts. */
    p?: Siblings07P;
  };
  type Siblings07P = { x?: string };
}

declare const tools: {
  s: CodeMode.s.Tools;
} & CodeMode.s.Tools;

// The script surface stands here.
