import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { schemaNumber } from '../../src/sandbox/data-folder.ts';
import {
  type Hello,
  helloFacts,
  helloPath,
  proofHeader,
  stopPath,
} from '../../src/sandbox/process/handshake.ts';
import { ensureIdentity, type FolderIdentity } from '../../src/sandbox/process/identity.ts';
import { probePort, requestStop } from '../../src/sandbox/process/probe.ts';
import { isRunning } from '../support/is-running.ts';
import { type SandboxUnderTest, startSandbox } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

let sandbox: SandboxUnderTest;
let identity: FolderIdentity;
beforeAll(async () => {
  sandbox = await startSandbox({ basePath: '/catalogue/v1' });
  identity = await ensureIdentity(sandbox.dataDir);
});
afterAll(() => sandbox.stop());

async function hello(): Promise<Hello> {
  const probe = await probePort(sandbox.port, identity);
  if (probe.kind !== 'verified') throw new Error(`It is ${probe.kind}.`);
  return probe.hello;
}

function at(path: string): string {
  return `http://127.0.0.1:${sandbox.port}${path}`;
}

async function stopStatus(proof?: string): Promise<number> {
  const headers = proof === undefined ? {} : { [proofHeader]: proof };
  return (await fetch(at(stopPath), { method: 'POST', headers })).status;
}

describe('hello', () => {
  it('says who runs, at the root whatever the base path is', async () => {
    expect(await hello()).toEqual({
      dataId: identity.dataId,
      schema: schemaNumber,
      instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
      pid: sandbox.pid,
      baseUrl: sandbox.baseUrl,
      state: 'ready',
    });
  });

  it('proves each nonce anew', async () => {
    const facts = await hello();
    for (const seed of ['one', 'two']) {
      const nonce = createHash('sha256').update(seed).digest('hex');
      const answer = await fetch(at(`${helloPath}?nonce=${nonce}`));
      expect(await answer.json()).toEqual({
        ...facts,
        proof: identity.prove('hello', helloFacts(nonce, facts)),
      });
    }
  });

  it.each(['', '?nonce=', '?nonce=zz', `?nonce=${'a'.repeat(31)}`, `?nonce=${'a'.repeat(129)}`])(
    'refuses the nonce in %j',
    async (query) => {
      expect((await fetch(at(helloPath + query))).status).toBe(400);
    },
  );

  it('is only read, and only by its own name', async () => {
    expect((await fetch(at(helloPath), { method: 'POST' })).status).toBe(405);
    const nonce = 'ab'.repeat(32);
    const status = await new Promise((resolve, reject) => {
      request(at(`${helloPath}?nonce=${nonce}`), { headers: { host: `example.org:${sandbox.port}` } })
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});

describe('stop', () => {
  it('needs a proof for this process, made for stopping, by who knows the secret', async () => {
    const { instance } = await hello();
    const other = await temporaryFolder();
    const stranger = await ensureIdentity(other.path);
    await other.remove();
    expect(await stopStatus()).toBe(403);
    expect(await stopStatus('')).toBe(403);
    expect(await stopStatus('not hex')).toBe(403);
    expect(await stopStatus(identity.prove('hello', [instance]))).toBe(403);
    expect(await stopStatus(identity.prove('stop', ['an earlier process']))).toBe(403);
    expect(await stopStatus(stranger.prove('stop', [instance]))).toBe(403);
    expect((await fetch(at(stopPath))).status).toBe(405);
    expect((await hello()).state).toBe('ready');
  });

  it('is obeyed where the proof is right', async () => {
    expect(await requestStop(sandbox.port, identity, await hello())).toBe(true);
    await vi.waitFor(() => expect(isRunning(sandbox.pid)).toBe(false), { timeout: 100_000, interval: 20 });
    expect(await sandbox.stop()).toBe(0);
    expect(sandbox.printed()).toContain('ends: it was asked to stop');
  });
});
