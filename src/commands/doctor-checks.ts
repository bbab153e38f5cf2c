import { once } from 'node:events';
import { createServer } from 'node:net';
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import type { App } from '../app.ts';
import { askWhoListens } from '../connections/sign-in/page.ts';
import { downloadRootFault } from '../curation/downloads/download-root.ts';
import { ArtworkError } from '../errors.ts';
import { isLoopback, type Settings } from '../settings.ts';
import { connectionNext } from './status.ts';
import { faultyRoots } from './upload-roots.ts';

/** What one check found. `mend` says what a person does about it, `next` what they may do though all is well. */
export type CheckResult =
  | { readonly outcome: 'well'; readonly found: string; readonly next?: string }
  | { readonly outcome: 'ill'; readonly found: string; readonly mend: string };

export interface Check {
  readonly name: string;
  look(): Promise<CheckResult>;
}

/** The result of a check that found all to be well. */
export function wellResult(found: string, next?: string): CheckResult {
  return { outcome: 'well', found, ...(next === undefined ? {} : { next }) };
}

/** The result of a check that found something wrong, with what mends it. */
export function illResult(found: string, mend: string): CheckResult {
  return { outcome: 'ill', found, mend };
}

/** The settings have been read, or the doctor would not be here; the files that they name have not. */
export function settingsCheck(settings: Settings): Check {
  return {
    name: 'settings',
    async look() {
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
            'No folder is open for uploads: name one in ARTWORK_UPLOAD_ROOTS, or with artwork-mcp serve DIR; some hosts offer their own.',
          );
    },
  };
}

/** Whether artwork can be downloaded into the folder that is set for it. */
export function downloadsCheck({ downloadRoot, home }: Settings): Check {
  return {
    name: 'downloads',
    async look() {
      if (downloadRoot === null) return wellResult('no folder is set: ARTWORK_DOWNLOAD_ROOT opens one');
      const fault = await downloadRootFault(downloadRoot, home);
      if (fault === null) return wellResult(`${downloadRoot} can be written to`);
      return illResult(
        `ARTWORK_DOWNLOAD_ROOT: ${downloadRoot} ${fault.is}`,
        'Make the folder, plug in its disk, let this user write to it, or name another one.',
      );
    },
  };
}

/** Opens the store as the server does: its folder's modes, its format and its version are looked at there. */
export function storeCheck(settings: Settings): Check {
  return {
    name: 'store',
    async look() {
      const { openStorage } = await import('../storage/open.ts');
      try {
        const storage = await openStorage({ home: settings.home, wholly: true });
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
        return wellResult(`${settings.home}, private to this user; ${where}`);
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        return illResult(error.message, error.next?.why ?? 'Do what the sentence says; nothing was changed.');
      }
    },
  };
}

/** Whether a sign-in could listen for its callback now, or one of ours does. */
export function redirectPortCheck(settings: Settings): Check {
  return {
    name: 'redirect',
    async look() {
      const url = new URL(settings.redirectUri);
      if (!isLoopback(url))
        return wellResult(`${url.origin} is not on this machine: the callback URL is pasted`);
      const port = Number(url.port || 80);
      const server = createServer();
      try {
        server.listen(port, url.hostname.replace(/^\[|\]$/g, ''));
        await once(server, 'listening');
        return wellResult(`port ${port} is free for the callback of a sign-in`);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        const waiting = code === 'EADDRINUSE' ? await askWhoListens(settings.redirectUri) : null;
        if (waiting !== null) {
          const where = waiting.processId === null ? '' : ` (process ${waiting.processId})`;
          return wellResult(
            `what listens at port ${port}${where} says it is a sign-in of artwork-mcp, which waits for its callback ten minutes at most`,
          );
        }
        return illResult(
          `port ${port} can't be listened on (${code})`,
          'Close the program that holds it, or register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.',
        );
      } finally {
        server.close();
      }
    },
  };
}

/** Further off than this, a token's lifetime is misjudged. */
const mostSkewMs = 60_000;

/** Whether the service answers a public read; the embedded catalogue is started for it. */
export function serviceCheck(settings: Settings, app: App): Check {
  return {
    name: 'service',
    async look() {
      try {
        const { items } = await app.parts.catalogue.readEpisodesPage(null, { deadlineMs: 20_000 });
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
    },
  };
}

/** This machine's clock against the `Date` that the service sends. */
export function clockCheck(settings: Settings): Check {
  return {
    name: 'clock',
    async look() {
      if (settings.baseUrl === null)
        return wellResult('the embedded catalogue uses the clock of this machine');
      const skew = await skewAgainst(settings.baseUrl);
      if (skew === null) return wellResult('not compared: the service told no time');
      const seconds = Math.round(skew / 1000);
      if (Math.abs(skew) <= mostSkewMs) return wellResult(`within ${Math.abs(seconds)} s of the service's`);
      return illResult(
        `${Math.abs(seconds)} s ${skew > 0 ? 'ahead of' : 'behind'} the service's`,
        'Let the system set its clock from the network; tokens seem expired, or valid too long, otherwise.',
      );
    },
  };
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
export function accountCheck(settings: Settings, app: App): Check {
  return {
    name: 'account',
    async look() {
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
          case 'app_refused':
            return illResult(explanation, connectionNext(status) ?? 'The sentence says what to do.');
        }
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        const without =
          error.code === 'client_id_missing' ? ' Without an account, set ARTWORK_TOOLSETS=catalogue.' : '';
        return illResult(error.message, `${error.next?.why ?? 'Do what the sentence says.'}${without}`);
      }
    },
  };
}
