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
import { type Line, printLine, printLines } from '../terminal.ts';
import { type Command, counted, nextForPerson } from './command.ts';
import { findFaultySettings } from './folders.ts';
import { connectionNext, findLeftBehind } from './status.ts';

export const command: Command = {
  summary: 'checks settings, service, clock, store, account and callback port, and says how to fix each',
  usage: 'artwork-mcp doctor [--json]',
  options: { json: { about: 'prints one line of JSON' } },
  settings: ['baseUrl', 'authUrl', 'clientId', 'redirectUri', 'user', 'home', 'uploadRoots', 'downloadRoot'],
  examples: ['artwork-mcp doctor --base-url https://catalogue.example/api --client-id abc --json'],
  words: 0,
  exit: '1 also if a check fails; stdout says which',
  async run({ settings, options }) {
    const findings = await withServices(settings, ({ parts }) => examine(parts));
    if (options.json === true) printLine(JSON.stringify({ checks: findings.map(forPrograms) }));
    else printLines(forPeople(findings));
    if (findings.some(isIll)) process.exitCode = 1;
  },
};

interface Finding {
  readonly is: 'well' | 'ill' | 'skipped';
  readonly found: string;
  /** What a person should do; null if the finding says it already. A check that passed may have advice too. */
  readonly next: string | null;
}

type NamedFinding = Finding & { readonly name: string };

/** Each with the check that it depends on. */
const checks: readonly (readonly [string, (parts: Parts) => Promise<Finding>, after?: string])[] = [
  ['settings', checkSettings],
  ['service', checkService],
  ['clock', checkClock, 'service'],
  ['store', checkStore],
  ['account', checkAccount],
  ['redirect', checkCallbackPort],
];

async function examine(parts: Parts): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  for (const [name, check, after] of checks) {
    const failed = findings.find((finding) => finding.name === after && isIll(finding));
    const finding = failed ?? (await check(parts).catch(failedCheck));
    // One cause can fail several checks. Only the first one reports it.
    const cause = findings.find((one) => isIll(one) && one.found === finding.found);
    const skipped = cause && { is: 'skipped' as const, found: `fix ${cause.name} first`, next: null };
    findings.push({ ...(skipped ?? finding), name });
  }
  return findings;
}

function failedCheck(error: unknown): Finding {
  if (error instanceof ArtworkError) return ill(error.message, nextForPerson(error));
  // Only a file that a setting names is read as late as here.
  if (!(error instanceof SettingsError)) throw error;
  return ill(error.message, 'Put only the secret into it, and let only this user read it (chmod 600).');
}

function well(found: string, next: string | null = null): Finding {
  return { is: 'well', found, next };
}

function ill(found: string, next: string | null): Finding {
  return { is: 'ill', found, next };
}

function isIll({ is }: Finding): boolean {
  return is === 'ill';
}

function forPrograms({ name, is, found, next }: NamedFinding) {
  if (is === 'ill') return { name, outcome: is, found, mend: next ?? 'Do what the message says.' };
  return { name, outcome: 'well', found: is === 'skipped' ? `not checked: ${found}` : found };
}

const marks = {
  well: { style: 'green', text: 'ok  ' },
  ill: { style: 'red', text: 'FAIL' },
  skipped: { style: 'dim', text: 'skip' },
} as const;

function forPeople(findings: readonly NamedFinding[]): Line[] {
  const failed = findings.filter(isIll).length;
  const lines = findings.flatMap(({ name, is, found, next }): Line[] => {
    const line: Line = [marks[is], `  ${name.padEnd(9)} ${found}`];
    return next === null ? [line] : [line, [' '.repeat(16), { style: 'bold', text: 'next:' }, ` ${next}`]];
  });
  const again = `Fix what is marked FAIL, then run ${ownCommand('doctor')} again.`;
  return failed === 0 ? lines : [...lines, '', `${counted(failed, 'check')} failed. ${again}`];
}

async function checkSettings({ settings }: Parts): Promise<Finding> {
  settings.clientSecret?.read();
  const { uploadRoots, downloadRoot, user, readOnly, toolsets } = settings;
  const faulty = await findFaultySettings(settings);
  if (faulty.length > 0) {
    const mend = 'Create the folder, plug in its disk, give this user access, or name another one.';
    return ill(faulty.map(({ setting, faults }) => `${setting}: ${faults}`).join('; '), mend);
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
  if (skewMs === null) return well('not compared: the service does not tell its time');
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
    // The service has answered the check before. One that refuses HEAD tells no time.
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatchers.destroy();
  }
}

/** Opens the store as the server does, which checks its files' modes and its tables. It writes no entry. */
async function checkStore({ settings }: Parts): Promise<Finding> {
  const { home, store: shared, baseUrl } = settings;
  const { openStore } = await import('../store/open.ts');
  const store = await openStore({ home, shared });
  try {
    const key = await store.seal.keyLocation();
    // The key is fetched where there is one: without it nothing that is sealed can be opened.
    if (key !== null) await store.seal.seal('probe', '0', '');
    const where = key?.kind === 'keyring' ? 'the keyring' : key?.path;
    const secrets = key === null ? 'it holds no secret yet' : `the key to its secrets is in ${where}`;
    const left = baseUrl === null ? null : await findLeftBehind(settings, baseUrl);
    return well(`${store.place}; ${secrets}`, left?.told);
  } finally {
    store.close();
  }
}

/** Whether a sign-in is possible, and how the stored connection stands. It sends nothing. */
async function checkAccount({ settings, account }: Parts): Promise<Finding> {
  if (settings.toolsets.every((toolset) => toolset === 'catalogue'))
    return well('not needed: the toolset catalogue acts for no account');
  const { connections } = await account();
  const status = await connections.status();
  const isOver = status.state === 'reconnect_required' || status.state === 'disconnecting';
  return { is: isOver ? 'ill' : 'well', found: status.explanation, next: connectionNext(status) };
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
