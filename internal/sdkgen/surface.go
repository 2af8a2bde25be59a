package sdkgen

// DefaultSurface declares what a script sees besides the tools.
const DefaultSurface = `/** The input of this run. */
declare const args: { [key: string]: unknown };

interface Console {
  log(...data: unknown[]): void;
  info(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  error(...data: unknown[]): void;
  debug(...data: unknown[]): void;
}
/** Writes to the logs of this run. */
declare var console: Console;

interface ToolCaller {
  /** Calls a tool by its name. */
  callTool(name: string, args?: object): Promise<unknown>;
}
/** For scripts written for other servers. */
declare const cc: ToolCaller;
/** For scripts written for other servers. */
declare const mcg: ToolCaller;
`
