import { once } from 'node:events';
import { createServer } from 'node:net';
import { downloadRootFault } from '../../curation/downloads/download-root.ts';
import { askWhoListens } from '../../connections/sign-in/page.ts';
import { ArtworkError } from '../../errors.ts';
import { isLoopback, type Settings } from '../../settings.ts';
import { faultyRoots } from '../upload-roots.ts';
import { type Check, illResult, wellResult } from './check.ts';

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
      const { openStorage } = await import('../../storage/open.ts');
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
