import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readCredentials } from '../../src/sandbox/account/accounts.ts';
import { signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';
import { everyScope } from './me-catalogue.ts';
import { App, own, present } from './oauth-app.ts';

/** The whole catalogue in a process of its own, and a token of its first account. */
export interface CatalogueProcess {
  readonly baseUrl: string;
  readonly token: string;
  end(): Promise<void>;
  /** As SIGKILL does. */
  kill(): Promise<void>;
}

/** @param program the built `me-process.ts`; several may share one data folder. */
export async function startProcess(program: string, dataDir: string): Promise<CatalogueProcess> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const baseUrl = String(line).trim();
  const credentials = present((await readCredentials(dataDir))[0], 'account');
  const app = new App({ baseUrl, authUrl: baseUrl }, own);
  const tokens = await app.exchange(
    await signInAndAnswerConsent(new Visitor(), app.authorizationUrl(everyScope), credentials),
  );
  return {
    baseUrl,
    token: present(tokens.accessToken, 'access token'),
    async end() {
      child.stdin.end();
      await exit;
    },
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
