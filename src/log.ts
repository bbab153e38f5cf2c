import { pathToFileURL } from 'node:url';
import { homeFolder } from './machine.ts';
import { noteLine } from './terminal.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
type LogLevel = (typeof logLevels)[number];

/** Takes sentences, never objects: an error may carry a token in its `cause`, and a response other people's text. */
export type Log = Readonly<Record<LogLevel, (message: string) => void>>;

/**
 * Logs on stderr, since stdout belongs to the protocol. A person may paste a log where others read it: each message is
 * one line, without words that sign in, and without the name in the home folder's path.
 */
export function createLog(level: LogLevel, write: (line: string) => void = noteLine): Log {
  const most = logLevels.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (logLevels.indexOf(own) <= most) write(`artwork-mcp ${own}: ${pasteable(message)}`);
  };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/**
 * Words that sign in: in a header, in a query or a form, and JSON Web Tokens. Of these all is taken that may belong to
 * one, since looking for their dots again and again takes the square of a text's length.
 */
const secrets = [
  /(?<=\b(?:Bearer|Basic)\s+)[\w.~+/=-]+/gi,
  /(?<=\b(?:access_token|refresh_token|id_token|token|code|code_verifier|client_secret|state)["']?\s*[=:]\s*["']?)[\w.~+/%-]{8,}/gi,
  /\beyJ[\w-]{8,}(?:\.[\w-]*)*/g,
];

function pasteable(message: string): string {
  // Many blanks in a row would make the looks behind slow.
  const short = message.replace(/\s{2,}/g, ' ');
  return secrets.reduce((text, secret) => text.replace(secret, '…'), short).replace(home(), '~');
}

let homePattern: RegExp | null = null;

/** The home folder as paths and URLs spell it, but no longer name that begins like it. */
function home(): RegExp {
  if (homePattern !== null) return homePattern;
  const folder = (homeFolder() ?? '').replace(/[\\/]+$/, '');
  const spellings = [folder, pathToFileURL(folder).pathname, folder.replaceAll('\\', '/')].map((spelling) =>
    spelling.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  // A user whose home is the root has no name in it.
  homePattern = new RegExp(folder === '' ? '(?!)' : `(?:${spellings.join('|')})(?![\\w-])`, 'giu');
  return homePattern;
}
