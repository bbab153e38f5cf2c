import path from 'node:path';
import { dataFolder, ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { type CatalogueControl, controlOf } from './catalogue-control.ts';
import { fillFolder } from './filled.ts';
import { startSandbox } from './sandbox.ts';
import { registerApp, signInAndAnswerConsent, Visitor } from './sign-in.ts';
import { temporaryFolder } from './temporary.ts';

export interface AppRegistration {
  readonly type: 'public' | 'confidential';
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

/** A data directory with a running embedded catalogue, its people, and what they do in a browser. */
export interface Household {
  readonly home: string;
  readonly baseUrl: string;
  /** Registers an app in the Apps area as the first account; answers the settings that a server needs for it. */
  register(app: AppRegistration): Promise<Record<string, string>>;
  /** Signs in as the numbered account and answers the consent page; answers the callback URL, not visited yet. */
  agree(url: string, account?: number, decision?: 'approve' | 'decline'): Promise<string>;
  remove(): Promise<void>;
}

export const allScopes = [
  'openid',
  'profile',
  'offline_access',
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
] as const;

export async function startHousehold(): Promise<Household> {
  const folder = await temporaryFolder();
  const home = folder.path;
  await fillFolder(dataFolder(home));
  const { baseUrl } = await ensureSandbox({ home });
  return household(home, baseUrl, async () => {
    await stopSandbox({ home });
    await folder.remove();
  });
}

export interface FailingHousehold extends Household {
  /** The process of the catalogue. */
  readonly pid: number;
  readonly control: CatalogueControl;
  /** All that the catalogue printed. */
  printed(): string;
  /** Ends the catalogue as SIGKILL does; the next server that needs it would start one that does not fail. */
  killCatalogue(): Promise<void>;
  /** Starts it again after that, at the same address. */
  restartCatalogue(): Promise<void>;
}

/** A household whose catalogue fails as it is told; `flags` are more of its program's. */
export async function startFailingHousehold(flags: readonly string[] = []): Promise<FailingHousehold> {
  const folder = await temporaryFolder();
  const home = folder.path;
  const program = path.resolve(import.meta.dirname, '../../dist/sandbox.mjs');
  await fillFolder(dataFolder(home));
  const start = () => startSandbox({ dataDir: dataFolder(home), program, flags: ['--faults', ...flags] });
  let catalogue = await start();
  const { baseUrl } = catalogue;
  const common = household(home, baseUrl, async () => {
    await catalogue.stop();
    await stopSandbox({ home });
    await folder.remove();
  });
  return {
    ...common,
    pid: catalogue.pid,
    control: controlOf(baseUrl),
    printed: () => catalogue.printed(),
    killCatalogue: () => catalogue.kill(),
    restartCatalogue: async () => {
      catalogue = await start();
    },
  };
}

function household(home: string, baseUrl: string, remove: () => Promise<void>): Household {
  return {
    home,
    baseUrl,
    async register(app) {
      const { clientId, clientSecret } = await registerApp(baseUrl, { name: 'Test app', ...app });
      return {
        ARTWORK_HOME: home,
        ARTWORK_CLIENT_ID: clientId,
        ARTWORK_REDIRECT_URI: app.redirectUri,
        ...(clientSecret === null ? {} : { ARTWORK_CLIENT_SECRET: clientSecret }),
      };
    },
    agree: async (url, account = 0, decision = 'approve') =>
      (await signInAndAnswerConsent(new Visitor(), url, account, decision)).href,
    remove,
  };
}
