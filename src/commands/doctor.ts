import { once } from 'node:events';
import { createServer } from 'node:net';
import { request } from 'undici';
import { withServices } from '../app/services.ts';
import { askWhoListens } from '../connection/callback.ts';
import { deadlineIn } from '../deadline.ts';
import { ArtworkError, codeOf } from '../errors.ts';
import { createDispatchers } from '../http/dispatchers.ts';
import type { Parts } from '../mcp/context.ts';
import { ownCommand } from '../own-command.ts';
import { isLoopback, SettingsError } from '../settings.ts';
import { printLine } from '../terminal.ts';
import { type Command, counted, nextForPerson } from './command.ts';
import { findFaultyFolders } from './folders.ts';

export const command: Command = {
  summary: 'checks settings, service, clock, store and callback port, and says how to fix each',
  usage: 'artwork-mcp doctor [--json]',
  options: { json: { about: 'prints one line of JSON' } },
  words: 0,
  exit: '1 also if a check fails; stdout says which',
  async run({ settings, options }) {
    const findings = await withServices(settings, async ({ parts }) => {
      const found: (Finding & { name: string })[] = [];
      for (const [name, check] of Object.entries(checks))
        found.push({ name, ...(await check(parts).catch(failedCheck)) });
      return found;
    });
    const failed = findings.filter(({ outcome }) => outcome === 'ill').length;
    if (failed > 0) process.exitCode = 1;
    if (options.json === true) {
      const told = findings.map(({ next, ...one }) => (one.outcome === 'ill' ? { ...one, mend: next } : one));
      return printLine(JSON.stringify({ checks: told }));
    }
    for (const { name, outcome, found, next } of findings) {
      printLine(`${outcome === 'ill' ? 'FAIL' : 'ok  '}  ${name.padEnd(9)} ${found}`);
      if (next !== null) printLine(`${' '.repeat(16)}next: ${next}`);
    }
    if (failed > 0)
      printLine(
        `${counted(failed, 'check')} failed. Fix what is marked FAIL, then run ${ownCommand('doctor')} again.`,
      );
  },
};

interface Finding {
  readonly outcome: 'well' | 'ill';
  readonly found: string;
  /** What a person should do; null if the finding says it already. A check that passed may have advice too. */
  readonly next: string | null;
}

const checks = {
  settings: checkSettings,
  service: checkService,
  clock: checkClock,
  store: checkStore,
  redirect: checkCallbackPort,
};

function failedCheck(error: unknown): Finding {
  if (error instanceof ArtworkError) return ill(error.message, nextForPerson(error));
  // Only a file that a setting names is read as late as here.
  if (!(error instanceof SettingsError)) throw error;
  return ill(error.message, 'Put only the secret into it, and let only this user read it (chmod 600).');
}

function well(found: string, next: string | null = null): Finding {
  return { outcome: 'well', found, next };
}

function ill(found: string, next: string | null): Finding {
  return { outcome: 'ill', found, next: next ?? 'Do what the message says.' };
}

async function checkSettings({ settings }: Parts): Promise<Finding> {
  settings.clientSecret?.read();
  const { uploadRoots, downloadRoot, user, readOnly, toolsets } = settings;
  const faulty = await findFaultyFolders(settings);
  if (faulty.length > 0) {
    const mend = 'Create the folder, plug in its disk, give this user access, or name another one.';
    return ill(faulty.map(({ setting, folder, is }) => `${setting}: ${folder} ${is}`).join('; '), mend);
  }
  return well(
    `user ${user}; toolsets ${toolsets.join(', ')}; downloads ${downloadRoot ?? 'off'}`,
    uploadRoots.length === 0 && !readOnly
      ? 'To upload, name a folder in ARTWORK_UPLOAD_ROOTS or after serve. Some hosts offer one.'
      : null,
  );
}

async function checkService({ settings, catalogue }: Parts): Promise<Finding> {
  try {
    await catalogue.readEpisodesPage(null, deadlineIn(20_000));
    return well(`${settings.baseUrl ?? 'the embedded catalogue'} answers`);
  } catch (error) {
    if (settings.baseUrl === null || !(error instanceof ArtworkError)) throw error;
    return ill(error.message, 'Check ARTWORK_BASE_URL, the network and the proxy settings.');
  }
}

/** With a larger difference, tokens seem expired, or valid for too long. ms */
const mostSkewMs = 60_000;

async function checkClock({ settings: { baseUrl } }: Parts): Promise<Finding> {
  if (baseUrl === null) return well("the embedded catalogue uses this machine's clock");
  const skewMs = await skewAgainst(baseUrl);
  if (skewMs === null) return well('not compared: the service tells no time');
  const seconds = counted(Math.abs(Math.round(skewMs / 1000)), 'second');
  if (Math.abs(skewMs) <= mostSkewMs) return well(`within ${seconds} of the service's clock`);
  const where = skewMs > 0 ? 'ahead of' : 'behind';
  return ill(`${seconds} ${where} the service's clock`, 'Let the system set its clock from the network.');
}

/** This machine's clock minus the `Date` of the service's answer; null where it sends none. */
async function skewAgainst(baseUrl: string): Promise<number | null> {
  const dispatchers = createDispatchers({ connections: 1 });
  const signal = AbortSignal.timeout(10_000);
  try {
    const dispatcher = dispatchers.for(baseUrl);
    const { headers, body } = await request(`${baseUrl}/episodes`, { method: 'HEAD', dispatcher, signal });
    await body.dump();
    const date = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
    return Number.isNaN(date) ? null : Date.now() - date;
  } catch (error) {
    // The check before tells of a service that is not there. One that refuses HEAD tells no time.
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatchers.destroy();
  }
}

/** Opens the store as the server does, which checks its files' modes and its tables. It writes no entry. */
async function checkStore({ settings }: Parts): Promise<Finding> {
  const { home, store: shared } = settings;
  const { openStore } = await import('../store/open.ts');
  const store = await openStore({ home, shared });
  try {
    const key = await store.seal.keyLocation();
    // The key is fetched where there is one: without it nothing that is sealed can be opened.
    if (key !== null) await store.seal.seal('probe', '0', '');
    const where = key?.kind === 'keyring' ? 'the keyring' : key?.path;
    const secrets = key === null ? 'it holds no secret yet' : `the key to its secrets is in ${where}`;
    return well(`${store.place}; ${secrets}`);
  } finally {
    store.close();
  }
}

/** Whether a sign-in could listen for its callback now. */
async function checkCallbackPort({ settings: { redirectUri } }: Parts): Promise<Finding> {
  const url = new URL(redirectUri);
  if (!isLoopback(url)) return well(`the callback is ${url.origin}: paste its address when you sign in`);
  const port = Number(url.port || 80);
  const server = createServer();
  try {
    server.listen(port, url.hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
    return well(`port ${port} is free for the callback of a sign-in`);
  } catch (error) {
    const code = codeOf(error) ?? 'unknown';
    const isTaken = code === 'EADDRINUSE';
    const ours = isTaken ? await askWhoListens(redirectUri) : null;
    if (ours !== null)
      return well(`a sign-in of artwork-mcp (process ${ours.processId}) waits at port ${port}`);
    return ill(
      isTaken ? `another program uses port ${port}` : `port ${port} can't be used (${code})`,
      'Close the program that holds it. Or register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.',
    );
  } finally {
    server.close();
  }
}
