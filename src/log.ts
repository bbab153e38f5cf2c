import { pathToFileURL } from 'node:url';
import { homeFolder } from './machine.ts';
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
 * may carry other people's text. A person can paste what is written where others read it: it is one line each, without
 * the name that the home folder tells, and without what a sentence of the service may quote of a sign-in.
 */
export function createLog(level: LogLevel, write: (line: string) => void = noteLine): Log {
  const most = logLevels.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (logLevels.indexOf(own) <= most) write(`artwork-mcp ${own}: ${pasteable(message)}`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/**
 * A word that signs in, as it stands in a header, in a query or a form, or by itself (a JSON Web Token, of which all
 * is taken that might be one: to look for its dots again and again takes the square of a long text's length).
 */
const secrets = [
  /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]+/gi,
  /(?<=\b(?:access_token|refresh_token|id_token|token|code|code_verifier|client_secret|state)["']?\s*[=:]\s*["']?)[\w.~+/%-]{8,}/gi,
  /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g,
];

function pasteable(message: string): string {
  // From each end of a row of blanks a look back would walk along all of it.
  const short = message.replace(/\s{2,}/g, ' ');
  return secrets.reduce((text, secret) => text.replace(secret, '…'), short).replace(spellingsOfHome(), '~');
}

let home: RegExp | null = null;

/** The home folder as a path and as a URL has it, up to a name that only begins like it. */
function spellingsOfHome(): RegExp {
  if (home === null) {
    const folder = (homeFolder() ?? '').replace(/[\\/]+$/, '');
    const spellings =
      folder === '' ? [] : [folder, pathToFileURL(folder).pathname, folder.replaceAll('\\', '/')];
    const escaped = spellings.map((spelling) => spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    // Nothing stands for a machine's own folder, whose home is the root.
    home = new RegExp(escaped.length === 0 ? '(?!)' : `(?:${escaped.join('|')})(?![\\w-])`, 'giu');
  }
  return home;
}
