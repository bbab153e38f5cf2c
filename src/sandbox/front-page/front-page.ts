import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { pageHeaders } from '../account/page.ts';
import { accountsFile } from '../account/accounts.ts';
import { pathOf, sendAnswer } from '../http.ts';
import { ownApp } from '../oauth/registration.ts';
import { builtEntry } from '../process/detach.ts';
import type { Mount, ServerContext } from '../server-context.ts';
import { frontPage, frontStyle } from './page.ts';

/**
 * Answers `/`, and `{base_url}` itself, to a person's browser with a page that says what this is and how to
 * begin. The rest of the catalogue answers a client that is no browser, and a request that does not read.
 * @param authUrl `{auth_url}`; default: the origin.
 */
export function frontPageMount({ authUrl }: { readonly authUrl?: string } = {}): Mount {
  return (context) => {
    const { origin, basePath } = context;
    const program = calledHere();
    const paths = new Set(['/', basePath, `${basePath}/`]);
    return (request, response) => {
      if (!paths.has(pathOf(request)) || !isBrowser(request)) return false;
      if (request.method !== 'GET' && request.method !== 'HEAD') return false;
      const page = frontPage({ ...read(context), program, accountUrl: `${authUrl ?? origin}/account/apps` });
      sendAnswer(request, response, { status: 200, headers, body: Buffer.from(page.toString()) });
      return true;
    };
  };
}

/** The program beside the catalogue's own, as a command line that works also where it is not on the person's PATH. */
function calledHere(): readonly string[] {
  const beside = path.join(path.dirname(builtEntry()), 'cli.js');
  return existsSync(beside) ? [process.execPath, beside] : ['artwork-mcp'];
}

/** The stylesheet is in the page and named by its digest: under `localhost` too, nothing else is loaded. */
const headers = {
  ...pageHeaders(),
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(frontStyle).digest('base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  vary: 'accept',
};

/** Programs accept anything, or JSON; a browser names HTML when a person goes to an address. */
function isBrowser({ headers: { accept = '' } }: IncomingMessage): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

function read({ database, dataDir, baseUrl }: ServerContext) {
  const count = (table: string) => database.only(`SELECT count(*) AS rows FROM ${table}`).integer('rows');
  const first = (table: string, path: string) =>
    database
      .all(`SELECT id, title FROM ${table} ORDER BY id LIMIT 3`)
      .map((row) => ({ title: row.text('title'), url: `${baseUrl}/${path}/${row.integer('id')}` }));
  return {
    baseUrl,
    clientId: ownApp.clientId,
    counts: {
      shows: count('shows'),
      episodes: count('episodes'),
      films: count('movies'),
      games: count('games'),
      sets: count('sets'),
    },
    works: [...first('shows', 'shows'), ...first('movies', 'movies'), ...first('games', 'games')],
    accounts: database.all('SELECT name FROM accounts ORDER BY id').map((row) => row.text('name')),
    accountsFile: accountsFile(dataDir),
  };
}
