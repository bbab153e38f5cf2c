import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder } from '../curation/folders.ts';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { answerOf, findWexmoor, planned, title } from '../support/plans.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: FailingHousehold;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startServer(env);
  await signInThrough(server, household);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

describe('a planned Set', () => {
  it('is finished by the same call after a kill between two files, though the folder is gone by then', async () => {
    const { showId } = await findWexmoor(server);
    const folder = path.join(pictures.path, 'cards');
    const cards = 6;
    const files = Array.from({ length: cards }, (_, at) => [`S01E0${at + 1}.png`, { colour: at + 1 }]);
    await fillFolder(folder, Object.fromEntries(files));
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId };
    const { next } = answerOf(planned, await server.call('plan_set', args));
    const { clientMutationId } = next.arguments ?? {};
    const call = { ...next.arguments, dryRun: false };

    const { control } = household;
    const effectsOf = async (operation: string) =>
      (await control.effects()).filter(
        (effect) => effect.clientMutationId === clientMutationId && effect.operation === operation,
      );
    // From the third file on nothing is answered.
    await control.fail({
      method: 'POST',
      path: '/me/set-uploads/*/assets',
      do: 'silence',
      when: 'before',
      skip: 2,
      count: 100,
    });
    const doomed = await startServer(env);
    const answer = doomed.call('create_media_set', call).then(
      () => 'answered',
      () => 'killed',
    );
    while ((await effectsOf('submission.file')).length < 2) await sleep(10);
    process.kill(doomed.pid, 'SIGKILL');
    expect(await answer).toBe('killed');
    await doomed.stop();
    await control.heal();

    // Who plans the folder anew is told of what was begun, and how to go on with it.
    const unfinished = z.looseObject({ unfinished: z.array(z.looseObject({ next: z.unknown() })).length(1) });
    const anew = answerOf(planned.extend(unfinished.shape), await server.call('plan_set', args));
    expect(anew.next.why).toContain('has not ended');
    expect(anew.unfinished[0]).toMatchObject({
      clientMutationId,
      title,
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: 'none' } },
    });
    await rm(folder, { recursive: true });
    const told = await runCli(['mutations', '--open'], env);
    expect(told.stdout).toContain(`processing, interrupted create_media_set  ${clientMutationId}`);
    expect(told.stdout).toContain('resume_mutation');
    expect((await runCli(['status'], env)).stdout).toContain('Unsettled     1 change\n');
    const open = await server.call('list_mutations', { state: 'open' });
    expect(open.structuredContent).toMatchObject({
      data: [{ clientMutationId }],
      next: { tool: 'get_mutation_status', arguments: { clientMutationId } },
    });

    const journey = await follow(server, { tool: 'create_media_set', arguments: call });
    expect(describeJourney(journey)).toMatch(/^create_media_set: .*resume_mutation: succeeded\. => settled$/);
    expect(await effectsOf('submission.file')).toHaveLength(cards);
    expect(await effectsOf('set.create.admit')).toHaveLength(1);
    const again = await follow(server, { tool: 'create_media_set', arguments: call });
    expect(describeJourney(again)).toBe('create_media_set: succeeded. => settled');
    await fillFolder(folder, Object.fromEntries(files));
    expect(await server.call('plan_set', args)).not.toHaveProperty('structuredContent.unfinished');
  });
});
