import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';

let household: Household;
let server: StartedServer;

beforeAll(async () => {
  household = await startHousehold();
  server = await startConnected(household, await registered(household));
});
afterAll(async () => {
  await server.stop();
  await household.remove();
});

const call = z.object({ arguments: z.record(z.string(), z.unknown()) });

const change = (args: Record<string, unknown>) => ({
  clientMutationId: randomUUID(),
  expectedUpdatedAt: 'none',
  relationship: 'follow',
  ...args,
});

it.each(['show', 'show_set', 'person'])(
  'of a %s may be refused, says the dry run, and leads to watch',
  async (targetKind) => {
    const args = change({ targetKind, targetId: 7 });
    const dry = await server.call('change_relationship', { ...args, dryRun: true });
    expect(dry.structuredContent).toMatchObject({
      outcome: 'dry_run',
      warnings: [
        {
          code: 'may_be_refused',
          message: expect.stringContaining(`watch with {"add":[{"kind":"${targetKind}","id":7}]}`),
        },
      ],
    });
    const refused = errorOf(await server.call('change_relationship', args));
    expect(refused).toMatchObject({
      outcome: 'refused',
      error: { message: expect.stringContaining(`relationships to accounts alone: give 'user'`) },
      next: { tool: 'watch', arguments: { add: [{ kind: targetKind, id: 7 }] } },
    });
    expect(refused.error.message).not.toContain('Invalid input');
    const again = errorOf(
      await server.call('get_mutation_status', { clientMutationId: args.clientMutationId }),
    );
    expect(again.next).toEqual(refused.next);
  },
);

it('that hides a show may be refused as well, and nothing serves instead', async () => {
  const args = change({ targetKind: 'show', targetId: 7, relationship: 'hide' });
  const dry = await server.call('change_relationship', { ...args, dryRun: true });
  const { warnings } = z
    .looseObject({ warnings: z.array(z.object({ code: z.string(), message: z.string() })) })
    .parse(dry.structuredContent);
  expect(warnings).toMatchObject([{ code: 'may_be_refused' }]);
  expect(JSON.stringify(warnings)).not.toContain('watch with');
});

it('takes a creator by the name that answers show, and says what it takes', async () => {
  const sets = z.object({ data: z.array(z.looseObject({ setId: z.int(), kind: z.string() })) });
  const feed = await server.call('read_feed', { feed: 'sets', kind: 'movie_set', limit: 25 });
  let createdBy = '';
  for (const { setId } of sets.parse(feed.structuredContent).data) {
    const { structuredContent } = await server.call('get_set', { kind: 'movie_set', id: setId });
    const set = z.looseObject({ data: z.looseObject({ createdBy: z.string().nullable() }) });
    createdBy = set.parse(structuredContent).data.createdBy ?? '';
    const own = errorOf(
      await server.call('change_relationship', change({ targetKind: 'creator', targetId: createdBy })),
    );
    // "creator" is no word of the service's: the call with the right one is at hand.
    expect(own).toMatchObject({ outcome: 'refused' });
    expect(own.next).toMatchObject({ tool: 'change_relationship', arguments: { targetKind: 'user' } });
    const { arguments: args } = call.parse(own.next);
    const dry = await server.call('change_relationship', { ...args, dryRun: true });
    if (dry.isError === true) continue;
    const followed = await server.call('change_relationship', args);
    if (followed.isError === true) continue;
    expect(dry.structuredContent).not.toHaveProperty('warnings');
    expect(followed.structuredContent).toMatchObject({ outcome: 'succeeded', id: { kind: 'user' } });
    break;
  }
  const list = await server.call('list_relationships');
  const records = z.object({
    data: z.array(z.looseObject({ relationship: z.string(), updatedAt: z.string(), target: z.unknown() })),
  });
  const found = records
    .parse(list.structuredContent)
    .data.find(({ target }) => z.object({ name: z.string() }).parse(target).name === createdBy);
  expect(found?.relationship).toBe('follow');
  // Under the name it is found again: its revision guards the next change.
  const cleared = await server.call(
    'change_relationship',
    change({
      targetKind: 'user',
      targetId: createdBy,
      expectedUpdatedAt: found?.updatedAt,
      relationship: 'clear',
    }),
  );
  expect(cleared.structuredContent).toMatchObject({
    outcome: 'succeeded',
    earlier: { relationship: 'follow' },
  });
  const tool = (await server.client.listTools()).tools.find(({ name }) => name === 'change_relationship');
  expect(tool?.description).toContain('the name in createdBy');
});
