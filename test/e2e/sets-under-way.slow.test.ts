import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder } from '../curation/folders.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { answerOf, findWexmoor, planned } from '../support/plans.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: FailingHousehold;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let showId: number;

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  server = await startServer({ ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path });
  await signInThrough(server, household);
  ({ showId } = await findWexmoor(server));
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const stands = z.looseObject({
  outcome: z.string(),
  next: z.looseObject({ tool: z.string().optional() }).optional(),
});
const listed = z.looseObject({
  data: z.array(z.looseObject({ clientMutationId: z.string(), live: z.boolean() })),
});

/** Each Set of pictures of its own: the same ones once more would be what has just been done. */
let colour = 0;

/** A Set of nine cards whose transfers take their time; answers once the first three have begun. */
async function begin(name: string, signal?: AbortSignal) {
  const folder = path.join(pictures.path, name);
  const files = Array.from({ length: 9 }, (_, at) => {
    colour += 1;
    return [`S01E0${at + 1}.png`, { colour }] as const;
  });
  await fillFolder(folder, Object.fromEntries(files));
  const args = { folder, entryTargetKind: 'show', entryTargetId: showId, slot: 'titlecard' };
  const { next } = answerOf(planned, await server.call('plan_set', args));
  const clientMutationId = z.string().parse(next.arguments?.clientMutationId);
  const transfer = { method: 'POST', path: '/me/set-uploads/*/assets' } as const;
  await household.control.fail({ ...transfer, do: 'delay', milliseconds: 700, when: 'before', count: 9 });
  const call = server.call('create_media_set', { ...next.arguments, titleBase: name, dryRun: false }, signal);
  const answer = call.then(
    (result) => stands.parse(result.structuredContent).outcome,
    () => 'given up',
  );
  while ((await household.control.left(transfer.path)) > 6) await sleep(10);
  const guarded = { clientMutationId, expectedUpdatedAt: null };
  return { guarded, answer };
}

describe('a Set that this server works on', () => {
  it('is told so by every other call to it', async () => {
    const { guarded, answer } = await begin('worked on');
    const list = listed.parse((await server.call('list_mutations', { state: 'open' })).structuredContent);
    expect(list.data).toMatchObject([{ clientMutationId: guarded.clientMutationId, live: true }]);
    const resumed = stands.parse((await server.call('resume_mutation', guarded)).structuredContent);
    expect(resumed).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    const { clientMutationId } = guarded;
    const status = await server.call('get_mutation_status', { clientMutationId });
    expect(stands.parse(status.structuredContent).outcome).toBe('succeeded');
    expect(await answer).toBe('succeeded');
  });

  it('is gone on with after the host gave the call up, each file sent once', async () => {
    const giveUp = new AbortController();
    const { guarded, answer } = await begin('given up', giveUp.signal);
    giveUp.abort('given up');
    expect(await answer).toBe('given up');
    const { clientMutationId } = guarded;
    // What is under way is waited for; then nobody works on it any more.
    const status = stands.parse(
      (await server.call('get_mutation_status', { clientMutationId })).structuredContent,
    );
    expect(status).toMatchObject({ outcome: 'processing', next: { tool: 'resume_mutation' } });
    const resumed = stands.parse((await server.call('resume_mutation', guarded)).structuredContent);
    expect(resumed.outcome).toBe('succeeded');
    const effects = await household.control.effects();
    const received = effects.filter(
      (effect) => effect.clientMutationId === clientMutationId && effect.operation === 'submission.file',
    );
    expect(received).toHaveLength(9);
  });
});
