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
    /**
     * T*\/itle \@see
     * line
     * break
     */
    p00: OptionalTool<P00Args, unknown>;
    /** tab  here */
    p01: OptionalTool<P01Args, unknown>;
    /**
     * para
     * sep
     */
    p02: OptionalTool<P02Args, unknown>;
    /**
     * \@deprecated use other
     * \@param x nope
     */
    p03: OptionalTool<P03Args, unknown>;
    /** `code` and ${expr} */
    p04: OptionalTool<P04Args, unknown>;
    /** </script><!-- --> */
    p05: OptionalTool<P05Args, unknown>;
    /** ends with backslash \ */
    p06: OptionalTool<P06Args, unknown>;
    /** emoji 👩‍👩‍👧‍👦 and עברית  rtl */
    p07: OptionalTool<P07Args, unknown>;
    p08: OptionalTool<P08Args, unknown>;
    p09: OptionalTool<P09Args, unknown>;
    /** yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz yz y… [cut: 7199 characters in all] */
    p10: OptionalTool<P10Args, unknown>;
    /**
     * \@ts-ignore
     * \@ts-nocheck
     *  * \@param x nope
     * /// <reference path="x" />
     * mail a@b.c, see \@user (\@since 1) bell*\/ tag
     */
    tags: OptionalTool<TagsArgs, unknown>;
  }
  type P00Args = {
    /**
     * line
     * break
     */
    x?: string;
  };
  type P01Args = {
    /** tab  here */
    x?: string;
  };
  type P02Args = {
    /**
     * para
     * sep
     */
    x?: string;
  };
  type P03Args = {
    /**
     * \@deprecated use other
     * \@param x nope
     */
    x?: string;
  };
  type P04Args = {
    /** `code` and ${expr} */
    x?: string;
  };
  type P05Args = {
    /** </script><!-- --> */
    x?: string;
  };
  type P06Args = {
    /** ends with backslash \ */
    x?: string;
  };
  type P07Args = {
    /** emoji 👩‍👩‍👧‍👦 and עברית  rtl */
    x?: string;
  };
  type P08Args = { x?: string };
  type P09Args = { x?: string };
  type P10Args = {
    /** xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… [cut: 7000 characters in all] */
    x?: string;
  };
  type TagsArgs = { [key: string]: unknown };
}

declare const tools: {
  s: CodeMode.s.Tools;
} & CodeMode.s.Tools;

// The script surface stands here.
