import { expect, it } from 'vitest';
import { assets } from '../simulation/owned-set.ts';
import { type Change, changes, idOf, perform, toEnd } from './changes.ts';
import { Stage } from './stage.ts';

const id = idOf(1);
const facts: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  edit_asset_metadata: async ({ world }) => world.service.owned.asset(assets.edited.id)?.languageCode,
  edit_group: async ({ world }) => world.service.owned.group().title,
  edit_set: async ({ world }) => world.service.owned.set().title,
  select_preview_frame: async ({ shelf }) =>
    shelf.facts(`asset ${assets.relabelled.id}`)?.selectedSourceFrame,
  change_relationship: async ({ shelf }) => shelf.facts('relationship user noor')?.relationship,
};

it.each(Object.entries(facts))('%s is undone by the call that its answer has ready', async (tool, factOf) => {
  const change = changes.find((one) => one.tool === tool);
  if (change === undefined) throw new TypeError(`There is no ${tool}.`);
  const stage = await Stage.open();
  const one = stage.start();
  const args = withoutItems(change, change.args(stage, id));
  const before = await factOf(stage);
  const made = await toEnd(stage, one, await perform(stage, one, change, args));
  expect(made).toMatchObject({ outcome: 'succeeded', undo: { tool } });
  expect(await factOf(stage)).not.toEqual(before);

  // The list has it too, for a later day, until it is made.
  const listed = async () => {
    const { mutations } = await stage.ask(one, (its) => its.list({ limit: 10 }));
    return mutations.find(({ clientMutationId }) => clientMutationId === id)?.undo;
  };
  expect(await listed()).toMatchObject({ tool });
  const undo = { clientMutationId: '', expectedUpdatedAt: null, ...made.undo?.arguments };
  expect(undo.clientMutationId).not.toBe(id);
  expect(undo.expectedUpdatedAt).toBe(made.updatedAt);
  expect(await toEnd(stage, one, await perform(stage, one, change, undo))).toMatchObject({
    outcome: 'succeeded',
  });
  expect(await factOf(stage)).toEqual(before);
  expect(await listed()).toBeUndefined();
});

it('an account whose id its record shows as a number is related to by that number', async () => {
  const change = changes.find(({ tool }) => tool === 'change_relationship');
  if (change === undefined) throw new TypeError('There is no change of a relationship.');
  const stage = await Stage.open();
  const one = stage.start();
  const facts = { targetKind: 'user', targetId: 55, relationship: 'follow' };
  const expectedUpdatedAt = stage.shelf.put('relationship user 55', facts);
  const args = { clientMutationId: id, expectedUpdatedAt, targetKind: 'user', targetId: '55' };
  const made = await toEnd(stage, one, await perform(stage, one, change, { ...args, relationship: 'hide' }));
  const undo = { clientMutationId: '', expectedUpdatedAt: null, ...made.undo?.arguments };
  await toEnd(stage, one, await perform(stage, one, change, undo));
  expect(stage.got.map(({ body }) => body)).toMatchObject([
    { targetId: 55, relationship: 'hide' },
    { targetId: 55, relationship: 'follow' },
  ]);
});

it('what the interface has no way back from carries none', async () => {
  for (const change of changes.filter(({ tool }) => !(tool in facts))) {
    const stage = await Stage.open();
    const one = stage.start();
    const made = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    expect([change.name, made.outcome, made.undo]).toEqual([change.name, 'succeeded', undefined]);
  }
});

/** An edit of a Set that adds pictures can't be taken back; one of its words can. */
function withoutItems({ tool }: Change, args: ReturnType<Change['args']>): ReturnType<Change['args']> {
  const { items: _, ...rest } = args;
  return tool === 'edit_set'
    ? { ...rest, clientMutationId: args.clientMutationId, expectedUpdatedAt: args.expectedUpdatedAt }
    : args;
}
