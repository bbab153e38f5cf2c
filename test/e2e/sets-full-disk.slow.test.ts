import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { read } from '../support/follower.ts';
import { keptFilesOf } from '../support/kept-files.ts';
import { transfer } from '../support/submission-phases.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { countEffects, creationOf, plantLongShow, writeCards } from '../support/title-cards.ts';

const cards = 12;
const megabyte = 1024 * 1024;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: Awaited<ReturnType<typeof temporaryFolder>>;
const running = new Set<StartedServer>();

beforeAll(async () => {
  [household, pictures, disk] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
    temporaryFolder(),
  ]);
});

afterAll(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  await household.remove();
  await pictures.remove();
  await disk.remove();
});

function mounted(size: string): boolean {
  try {
    const options = `size=${size},mode=0700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk.path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const toldOf = (result: CallToolResult) => read({ tool: 'resume_mutation', arguments: {} }, result);

/** The ids that the ledger knows. */
async function known(server: StartedServer): Promise<string[]> {
  const listed = z.looseObject({ data: z.array(z.looseObject({ clientMutationId: z.string() })) });
  const { structuredContent } = await server.call('list_mutations', {});
  return listed.parse(structuredContent).data.map((one) => one.clientMutationId);
}

it('loses nothing of a Set on a full disk, and says what a person has to do', async ({ skip }) => {
  if (!mounted('96m')) return skip('a small file system can not be mounted here');
  const ballast = path.join(disk.path, 'ballast');
  /** Leaves so much of the disk free, bytes. */
  const leave = (bytes: number) => {
    rmSync(ballast, { force: true });
    const { bavail, bsize } = statfsSync(disk.path);
    writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
  };
  const copies = () =>
    readdirSync(keptFilesOf(disk.path), { recursive: true }).filter((name) =>
      /[0-9a-f]{64}\/[0-9a-f]{64}$/.test(String(name)),
    );
  try {
    const env = {
      ...(await registered(household)),
      ARTWORK_HOME: disk.path,
      ARTWORK_BASE_URL: household.baseUrl,
      ARTWORK_UPLOAD_ROOTS: pictures.path,
    };
    const start = async () => {
      const server = await startServer(env);
      running.add(server);
      return server;
    };
    const show = plantLongShow(household.home, cards);
    const first = creationOf(show, await writeCards(pictures.path, show.episodes));
    const { clientMutationId } = first;
    const killed = await start();
    await signInThrough(killed, household);
    await household.control.fail({
      method: 'POST',
      path: transfer,
      do: 'delay',
      when: 'before',
      milliseconds: 100,
      count: 1_000,
    });
    const call = killed.call('create_media_set', first).catch(() => 'killed');
    const arrived = async () =>
      countEffects(await household.control.effects(), clientMutationId)['submission.file'] ?? 0;
    while ((await arrived()) < 3) await sleep(10);
    process.kill(killed.pid, 'SIGKILL');
    await call;
    expect(copies().length).toBe(cards);

    // There is no room for a second Set: nothing of it is kept or claimed, and the first one's copies stay.
    const server = await start();
    leave(20 * megabyte);
    const long = await writeCards(pictures.path, show.episodes, (index) => (index < 2 ? 4 * megabyte : 0));
    const second = creationOf(show, long);
    const full = await server.call('create_media_set', second);
    expect(toldOf(full)).toMatchObject({
      error: { category: 'internal', code: 'store_full', message: expect.stringContaining(disk.path) },
      outcome: 'not_sent',
      clientMutationId: second.clientMutationId,
      next: { why: expect.stringMatching(/person .*space/) },
    });
    expect(copies().length).toBe(cards);
    expect(await known(server)).toEqual([clientMutationId]);

    // Nothing more can be written down: the first one stops, and says so.
    leave(0);
    const resume = { clientMutationId, expectedUpdatedAt: null };
    const before = await arrived();
    const stuck = await server.call('resume_mutation', resume);
    expect(toldOf(stuck)).toMatchObject({
      error: { category: 'internal', code: 'store_full' },
      clientMutationId,
      next: { why: expect.stringMatching(/person/) },
    });
    expect(await arrived()).toBe(before);
    expect(copies().length).toBe(cards);

    rmSync(ballast);
    expect(toldOf(await server.call('resume_mutation', resume))).toMatchObject({ outcome: 'succeeded' });
    expect(countEffects(await household.control.effects(), clientMutationId)).toMatchObject({
      'submission.file': cards,
      'set.create': 1,
    });
    expect(copies()).toEqual([]);
    await household.control.heal();
    expect(toldOf(await server.call('create_media_set', second))).toMatchObject({ outcome: 'succeeded' });
  } finally {
    await Promise.all([...running].map((server) => server.stop()));
    execFileSync('umount', ['-l', disk.path]);
  }
});
