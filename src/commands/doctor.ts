import { once } from 'node:events';
import { createServer } from 'node:net';
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { type App, withApp } from '../app.ts';
import { askWhoListens } from '../connection/callback.ts';
import { downloadRootFault } from '../curation/download/root.ts';
import { deadlineIn } from '../deadline.ts';
import { ArtworkError } from '../errors.ts';
import { ownCommand } from '../own-command.ts';
import { isLoopback, type Settings, SettingsError } from '../settings.ts';
import { type Line, printLines } from '../terminal.ts';
import type { Command } from './command.ts';
import { connectionNext } from './status.ts';
import { faultyRoots } from './upload-roots.ts';

export const command: Command = {
  summary:
    'checks settings, folders, service, clock, store, account and callback port, and says how to mend each',
  usage: 'artwork-mcp doctor [--json]',
  options: {
    json: { about: 'prints one line of JSON', example: 'artwork-mcp doctor --json' },
  },
  settings: ['baseUrl', 'authUrl', 'clientId', 'redirectUri', 'user', 'home', 'uploadRoots', 'downloadRoot'],
  examples: ['artwork-mcp doctor --base-url https://catalogue.example/api --client-id abc'],
  words: 0,
  exit: '1 also where a check fails, which is told on stdout',
  async run({ settings, options }) {
    const findings = await examine(settings);
    printLines(
      options.json === true ? [JSON.stringify({ checks: findings.map(asJson) })] : readable(findings),
    );
    if (findings.some(({ outcome }) => outcome === 'ill')) process.exitCode = 1;
  },
};

type NamedFinding = CheckResult & { readonly name: string };

const checks = {
  settings: checkSettings,
  service: checkService,
  clock: checkClock,
  store: checkStore,
  downloads: checkDownloads,
  account: checkAccount,
  redirect: checkRedirectPort,
};

function examine(settings: Settings): Promise<NamedFinding[]> {
  return withApp(settings, async (app) => {
    const findings: NamedFinding[] = [];
    for (const [name, check] of Object.entries(checks)) {
      const finding = await check(settings, app).catch(unusableFile);
      findings.push({ name, ...(toldBefore(finding, findings) ?? finding) });
    }
    return findings;
  });
}

/** A file that a setting names is read only when it is needed: the other checks go on without it. */
function unusableFile(error: unknown): CheckResult {
  if (!(error instanceof SettingsError)) throw error;
  return illResult(
    error.message,
    'Make the file readable for this user alone (chmod 600), with nothing but the secret in it, or name another one.',
  );
}

/** What one check found ill keeps a later one from its own look: it is told once, where it is to be mended. */
function toldBefore(finding: CheckResult, findings: readonly NamedFinding[]): CheckResult | null {
  if (finding.outcome === 'well') return null;
  const before = findings.find(({ outcome, found }) => outcome === 'ill' && found === finding.found);
  return before === undefined ? null : wellResult(`not looked at: the ${before.name} has to be mended first`);
}

/** What programs read has the fields that it always had. */
function asJson({ name, ...finding }: NamedFinding) {
  const { outcome, found } = finding;
  return finding.outcome === 'ill' ? { name, outcome, found, mend: finding.mend } : { name, outcome, found };
}

function readable(findings: readonly NamedFinding[]): Line[] {
  const told = findings.flatMap((finding): Line[] => {
    const isWell = finding.outcome === 'well';
    const next = isWell ? finding.next : finding.mend;
    return [
      [
        isWell ? { style: 'green', text: 'ok  ' } : { style: 'red', text: 'FAIL' },
        `  ${finding.name.padEnd(9)} ${finding.found}`,
      ],
      ...(next === undefined
        ? []
        : [[' '.repeat(16), { style: 'bold' as const, text: 'next:' }, ` ${next}`]]),
    ];
  });
  const failed = findings.filter(({ outcome }) => outcome === 'ill').length;
  if (failed === 0) return told;
  const some = failed === 1 ? 'One check failed' : `${failed} checks failed`;
  return [...told, '', `${some}: do what stands behind "next:", then run ${ownCommand('doctor')} again.`];
}

/** What one check found. `mend` says what a person does about it, `next` what they may do though all is well. */
type CheckResult =
  | { readonly outcome: 'well'; readonly found: string; readonly next?: string }
  | { readonly outcome: 'ill'; readonly found: string; readonly mend: string };

/** The result of a check that found all to be well. */
function wellResult(found: string, next?: string): CheckResult {
  return { outcome: 'well', found, ...(next === undefined ? {} : { next }) };
}

/** The result of a check that found something wrong, with what mends it. */
function illResult(found: string, mend: string): CheckResult {
  return { outcome: 'ill', found, mend };
}

/** The settings have been read, or the doctor would not be here; the files that they name have not. */
async function checkSettings(settings: Settings): Promise<CheckResult> {
  settings.clientSecret?.read();
  const faults = await faultyRoots(settings.uploadRoots);
  if (faults.length > 0) {
    const told = faults.map(({ root, is }) => `${root} ${is}`).join(', ');
    const mend = faults.some(({ forGood }) => forGood)
      ? 'Name the folder that holds the artwork.'
      : 'Plug in or make the folder, let this user read it, or name another one.';
    return illResult(`ARTWORK_UPLOAD_ROOTS: ${told}`, mend);
  }
  const found = `user ${settings.user}, toolsets ${settings.toolsets.join(', ')}`;
  return settings.uploadRoots.length > 0 || settings.readOnly
    ? wellResult(found)
    : wellResult(
        found,
        'No folder is open for uploads: name one in ARTWORK_UPLOAD_ROOTS, or behind serve; some hosts offer their own.',
      );
}

/** Whether artwork can be downloaded into the folder that is set for it. */
async function checkDownloads({ downloadRoot, home }: Settings): Promise<CheckResult> {
  if (downloadRoot === null) return wellResult('no folder is set: ARTWORK_DOWNLOAD_ROOT opens one');
  const fault = await downloadRootFault(downloadRoot, home);
  if (fault === null) return wellResult(`${downloadRoot} can be written to`);
  return illResult(
    `ARTWORK_DOWNLOAD_ROOT: ${downloadRoot} ${fault.is}`,
    'Make the folder, plug in its disk, let this user write to it, or name another one.',
  );
}

/** Opens the store as the server does, which checks its folder's modes and its schema. Writes no entry. */
async function checkStore(settings: Settings): Promise<CheckResult> {
  const { openStore } = await import('../store/open.ts');
  try {
    const { home, store: shared } = settings;
    const storage = await openStore({ home, wholly: true, shared });
    const key = await storage.keyLocation();
    // Where one is recorded it is fetched: without it nothing that is sealed can be opened again.
    if (key !== null) await storage.seal.seal('probe', '0', '').finally(() => storage.close());
    else storage.close();
    const where =
      key === null
        ? 'nothing sealed yet'
        : key.kind === 'keyring'
          ? 'key in the keyring'
          : `key in ${key.path}`;
    const left = shared === null ? null : await leftBehind(settings);
    return wellResult(`${storage.place}; ${where}`, left ?? undefined);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    return illResult(error.message, error.next?.why ?? 'Do what the sentence says; nothing was changed.');
  }
}

async function leftBehind(settings: Settings): Promise<string | null> {
  const { findLeftBehind } = await import('../app/left-behind.ts');
  return settings.baseUrl === null
    ? null
    : ((await findLeftBehind(settings, settings.baseUrl))?.told ?? null);
}

/** Whether a sign-in could listen for its callback now, or one of ours does. */
async function checkRedirectPort(settings: Settings): Promise<CheckResult> {
  const url = new URL(settings.redirectUri);
  if (!isLoopback(url)) return wellResult(`${url.origin} is not on this machine: the callback URL is pasted`);
  const port = Number(url.port || 80);
  const server = createServer();
  try {
    server.listen(port, url.hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
    return wellResult(`port ${port} is free for the callback of a sign-in`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    const ours = code === 'EADDRINUSE' ? await askWhoListens(settings.redirectUri) : null;
    if (ours !== null) {
      return wellResult(
        `what listens at port ${port} (process ${ours.processId}) says it is a sign-in of artwork-mcp, which waits for its callback ten minutes at most`,
      );
    }
    return illResult(
      `port ${port} can't be listened on (${code})`,
      'Close the program that holds it, or register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.',
    );
  } finally {
    server.close();
  }
}

/** Further off than this, a token's lifetime is misjudged. */
const mostSkewMs = 60_000;

/** Whether the service answers a public read; the embedded catalogue is started for it. */
async function checkService(settings: Settings, app: App): Promise<CheckResult> {
  try {
    const { items } = await app.parts.catalogue.readEpisodesPage(null, deadlineIn(20_000));
    const which = settings.baseUrl ?? 'the embedded catalogue';
    return wellResult(`${which} answers; the first page of its episodes index has ${items.length}`);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const mend =
      settings.baseUrl === null
        ? (error.next?.why ?? 'Do what the sentence says, then try again.')
        : 'Check ARTWORK_BASE_URL, the network and the proxy settings.';
    return illResult(error.message, mend);
  }
}

/** This machine's clock against the `Date` that the service sends. */
async function checkClock(settings: Settings): Promise<CheckResult> {
  if (settings.baseUrl === null) return wellResult('the embedded catalogue uses the clock of this machine');
  const skew = await skewAgainst(settings.baseUrl);
  if (skew === null) return wellResult('not compared: the service told no time');
  const seconds = Math.round(skew / 1000);
  if (Math.abs(skew) <= mostSkewMs) return wellResult(`within ${Math.abs(seconds)} s of the service's`);
  return illResult(
    `${Math.abs(seconds)} s ${skew > 0 ? 'ahead of' : 'behind'} the service's`,
    'Let the system set its clock from the network; tokens seem expired, or valid too long, otherwise.',
  );
}

async function skewAgainst(baseUrl: string): Promise<number | null> {
  const dispatcher = isLoopback(new URL(baseUrl)) ? new Agent() : new EnvHttpProxyAgent();
  try {
    const { headers, body } = await request(`${baseUrl}/episodes`, {
      method: 'HEAD',
      dispatcher,
      signal: AbortSignal.timeout(10_000),
    });
    await body.dump();
    const told = typeof headers.date === 'string' ? Date.parse(headers.date) : Number.NaN;
    return Number.isNaN(told) ? null : Date.now() - told;
  } catch (error) {
    // The check of the service tells why it can't be reached; undici rejects with Errors only.
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatcher.close();
  }
}

/** Whether a sign-in is possible, and how the stored connection stands; nothing is sent for it. */
async function checkAccount(settings: Settings, app: App): Promise<CheckResult> {
  if (settings.toolsets.every((toolset) => toolset === 'catalogue')) {
    return wellResult('no tool of these toolsets acts for an account');
  }
  try {
    const { connections } = await app.parts.account();
    const status = await connections.status();
    const { state, explanation } = status;
    switch (state) {
      case 'connected':
      case 'uncertain':
        return wellResult(explanation);
      case 'not_connected':
        return wellResult(explanation, connectionNext(status) ?? undefined);
      case 'reconnect_required':
      case 'disconnecting':
        return illResult(explanation, connectionNext(status) ?? 'The sentence says what to do.');
    }
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    const without =
      error.code === 'client_id_missing' ? ' Without an account, set ARTWORK_TOOLSETS=catalogue.' : '';
    return illResult(error.message, `${error.next?.why ?? 'Do what the sentence says.'}${without}`);
  }
}
