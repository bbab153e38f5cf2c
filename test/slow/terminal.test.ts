import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedProvider, startScriptedProvider } from '../connection/scripted-provider.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { freePort } from '../support/free-port.ts';
import { type Finished, runCli, startConnect } from '../support/run-cli.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Colours, a new title of the window, the same in one byte, writing turned round, a line of its own, a hidden letter. */
const steering = '\u001b[31m\u001b]0;x\u0007\u009b31m\u202e\u2066\u2028\u007f\u{e0041}';
const hostile = `MARK${steering}\nMARK FAIL`;
/** In a path: no NUL, no slash. */
const hostileName = `MARK${steering}\n`;

/** What a terminal obeys. The line feeds are those of our own layout, and nothing that we print begins with MARK. */
const obeyed = /(?!\n)\p{Cc}|\p{Bidi_Control}|[\p{Zl}\p{Zp}\p{Cs}]|[\u{e0000}-\u{e007f}]|^MARK/mu;

function expectHarmless({ stdout, stderr }: Pick<Finished, 'stdout' | 'stderr'>): void {
  for (const text of [stdout, stderr]) expect(text).not.toMatch(obeyed);
}

/** It was printed, so that it could have done harm. */
function expectShown(finished: Pick<Finished, 'stdout' | 'stderr'>): void {
  expectHarmless(finished);
  expect(finished.stdout + finished.stderr).toContain('MARK');
}

const removals: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const remove of removals.reverse()) await remove();
});

async function folderNamed(name: string): Promise<string> {
  const folder = await temporaryFolder();
  removals.push(folder.remove);
  const named = path.join(folder.path, name);
  await mkdir(named, { mode: 0o700 });
  return named;
}

describe('text of others on its way to a terminal', () => {
  let provider: ScriptedProvider;
  let env: Record<string, string>;

  beforeAll(async () => {
    provider = await startScriptedProvider();
    removals.push(provider.close);
    env = {
      ARTWORK_HOME: await folderNamed(hostileName),
      ARTWORK_BASE_URL: provider.baseUrl,
      ARTWORK_CLIENT_ID: 'app',
      ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    };
  });

  it('is harmless as the name of an account: connect, status, doctor, disconnect', async () => {
    provider.faults.push({ kind: 'amend', fields: {}, claims: { sub: hostile, name: undefined } });
    const connecting = startConnect(env);
    const url = await connecting.url();
    connecting.paste(`${url}${hostile.replace('\n', '')}`);
    await fetch(provider.approve(url));
    expectShown(await connecting.end());
    expectShown(await runCli(['status'], env));
    const asJson = await runCli(['status', '--json'], env);
    expectShown(asJson);
    // It means the same all the same.
    expect(JSON.parse(asJson.stdout)).toMatchObject({ state: 'connected', subject: hostile });
    expectHarmless(await runCli(['doctor'], env));
    expectHarmless(await runCli(['disconnect'], env));
  });

  it('is harmless as the name of a folder: doctor, the start, a failure', async () => {
    const roots = { ...env, ARTWORK_UPLOAD_ROOTS: `/nowhere/${hostileName}` };
    expectShown(await runCli(['doctor'], roots));
    expectShown(await runCli(['serve'], roots));
    expectShown(await runCli(['serve', path.join(import.meta.filename, hostileName)], env));
    const unusable = { ...env, ARTWORK_HOME: `/dev/null/${hostileName}` };
    for (const command of ['status', 'connect', 'doctor']) {
      expectShown(await runCli([command], unusable));
    }
  });

  it('is harmless as what the service says: doctor, connect', async () => {
    const error = { code: hostile, message: hostile, issues: [] };
    const service = await startScriptedService((_, response) => json(response, 400, { error }));
    removals.push(service.close);
    const there = { ...env, ARTWORK_BASE_URL: service.baseUrl };
    expectHarmless(await runCli(['doctor'], there));
    const connecting = startConnect(there);
    const url = new URL(await connecting.url());
    const callback = new URL(url.searchParams.get('redirect_uri') ?? '');
    callback.searchParams.set('state', url.searchParams.get('state') ?? '');
    callback.searchParams.set('error', hostile);
    await fetch(callback);
    const refused = await connecting.end();
    expectHarmless(refused);
    expect(refused.code).toBe(1);
  });
});

describe('titles on their way to a terminal', () => {
  let household: Household;

  beforeAll(async () => {
    household = await startHousehold();
    removals.push(household.remove);
  });

  it('are harmless in the ledger: mutations', async () => {
    const env = await registered(household);
    const server = await startConnected(household, env);
    const made = await server.call('create_group', {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: 'none',
      kind: 'boxset',
      title: hostile,
    });
    // As a title, it may be refused; what was tried is in the ledger then.
    if (made.isError === true) expect(errorOf(made)).toMatchObject({ error: expect.anything() });
    await server.stop();
    expectShown(await runCli(['mutations'], env));
    expectShown(await runCli(['mutations', '--json'], env));
    const list = JSON.parse((await runCli(['mutations', '--json'], env)).stdout);
    expect(list.mutations).toHaveLength(1);
  });
});
