import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { readCredentials } from '../support/credentials.ts';
import { dataFolder, ensureSandbox, stopSandbox } from '../../src/sandbox/launch.ts';
import { allScopes } from '../../src/settings.ts';
import { freePort } from '../support/free-port.ts';
import { registerApp, shownPageOf, signIn, signInAndAnswerConsent, Visitor } from '../support/sign-in.ts';

/** A data directory with an embedded catalogue whose titles have been read, and the person who owns artwork in it. */
export interface Household {
  /** Settings of a server. */
  readonly env: Readonly<Record<string, string>>;
  /** Of the catalogue's process. */
  readonly pid: number;
  /** Signs in at the address that a sign-in shows, and comes back by the callback. */
  visit(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** What all households of a run are copies of. */
export interface Template {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entry: string;
}

/** Fills a catalogue, reads its titles, and registers an app with a callback at a port that is free now. */
export async function makeTemplate(root: string, folder: string): Promise<Template> {
  const entry = path.join(root, 'dist/sandbox.js');
  const { baseUrl } = await ensureSandbox({ home: folder, entry });
  const visitor = new Visitor();
  const person = await firstPerson(folder);
  await signIn(visitor, shownPageOf(await visitor.open(`${baseUrl}/account/sign-in`)), person);
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const { clientId } = await registerApp(visitor, baseUrl, {
    name: 'Host',
    type: 'public',
    redirectUri,
    scopes: allScopes,
  });
  const env = { ARTWORK_CLIENT_ID: clientId, ARTWORK_REDIRECT_URI: redirectUri };
  await promisify(execFile)(process.execPath, [path.join(root, 'dist/cli.js'), 'index'], {
    env: { PATH: process.env.PATH, HOME: folder, ARTWORK_HOME: folder, ...env },
  });
  await stopSandbox({ home: folder });
  return { folder, env, entry };
}

export async function startHousehold(template: Template, home: string): Promise<Household> {
  await cp(template.folder, home, { recursive: true });
  const { pid } = await ensureSandbox({ home, entry: template.entry });
  return {
    env: { ...template.env, ARTWORK_HOME: home },
    pid,
    async visit(url) {
      await fetch(await signInAndAnswerConsent(new Visitor(), url, await firstPerson(home)));
    },
    async stop() {
      await stopSandbox({ home });
    },
  };
}

async function firstPerson(home: string) {
  const [person] = await readCredentials(dataFolder(home));
  if (person === undefined) throw new Error('The catalogue has no account.');
  return person;
}
