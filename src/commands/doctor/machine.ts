import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { ArtworkError } from '../../errors.ts';
import { isLoopback, type Settings } from '../../settings.ts';
import { type Check, ill, well } from './check.ts';

/** The settings have been read, or the doctor would not be here; the files that they name have not. */
export function settingsCheck(settings: Settings): Check {
  return {
    name: 'settings',
    async look() {
      settings.clientSecret?.read();
      for (const root of settings.uploadRoots) {
        const found = await stat(root).catch(() => null);
        if (found?.isDirectory() !== true) {
          return ill(`${root} of ARTWORK_UPLOAD_ROOTS is not a folder`, 'Make it, or name another one.');
        }
      }
      return well(`user ${settings.user}, toolsets ${settings.toolsets.join(', ')}`);
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
        storage.close();
        const where =
          key === null
            ? 'nothing sealed yet'
            : key.kind === 'keyring'
              ? 'key in the keyring'
              : `key in ${key.path}`;
        return well(`${settings.home}, private to this user; ${where}`);
      } catch (error) {
        if (!(error instanceof ArtworkError)) throw error;
        return ill(error.message, 'The message says what to do; nothing was changed.');
      }
    },
  };
}

/** Whether a sign-in could listen for its callback now. */
export function redirectPortCheck(settings: Settings): Check {
  return {
    name: 'redirect',
    async look() {
      const url = new URL(settings.redirectUri);
      if (!isLoopback(url)) return well(`${url.origin} is not on this machine: the callback URL is pasted`);
      const port = Number(url.port || 80);
      const server = createServer();
      try {
        server.listen(port, url.hostname.replace(/^\[|\]$/g, ''));
        await once(server, 'listening');
        return well(`port ${port} is free for the callback of a sign-in`);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
        return ill(
          `port ${port} can't be listened on (${code})`,
          'Close the program that holds it or finish the sign-in that waits there, or register an app with another callback, and set ARTWORK_CLIENT_ID and ARTWORK_REDIRECT_URI.',
        );
      } finally {
        server.close();
      }
    },
  };
}
