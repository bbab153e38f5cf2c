import { noteLine } from './terminal.ts';

/** stderr is the only place for words that are not MCP: stdout belongs to the protocol. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/**
 * Takes sentences only, never objects: an error object may carry a token in its `cause`, and a response
 * may carry other people's text.
 */
export function createLog(level: LogLevel, write: (line: string) => void = noteLine): Log {
  const most = logLevels.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (logLevels.indexOf(own) <= most) write(`artwork-mcp ${own}: ${message}`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}
