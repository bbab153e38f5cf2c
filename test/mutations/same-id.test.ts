import { describe, expect, it } from 'vitest';
import { Disk } from '../simulation/disk.ts';
import { type Change, changes, idOf, perform, toEnd } from './changes.ts';
import { Stage } from './stage.ts';

const id = idOf(1);
const byName = (name: string) => {
  const found = changes.find((change) => change.name === name);
  if (found === undefined) throw new TypeError(`There is no ${name}.`);
  return found;
};

describe.each(changes)('$name', (change) => {
  it('is made once, by however many processes, and told as often as it is asked for', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    const [one, other] = [stage.start(), stage.start()];
    const both = await Promise.all([perform(stage, one, change, args), perform(stage, other, change, args)]);
    for (const said of both)
      expect(await toEnd(stage, other, said)).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
    const posts = stage.got.length;
    expect(stage.count(change.path)).toBe(1);
    expect(await perform(stage, stage.start(), change, args)).toMatchObject({ outcome: 'succeeded' });
    expect(stage.got).toHaveLength(posts);
  });

  it('is no other change under its id', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    const one = stage.start();
    await perform(stage, one, change, args);
    const posts = stage.got.length;
    expect(await perform(stage, one, change, { ...args, ...change.other })).toMatchObject({
      error: { category: 'mutation_id_reused' },
    });
    expect(stage.got).toHaveLength(posts);
  });

  it('is not made again in another sign-in of the same user, whether or not the account is named', async () => {
    const stage = await Stage.open();
    stage.world.accounts.signIn('owner', false);
    const args = change.args(stage, id);
    stage.treat(change.path, { done: 'and unheard' });
    stage.freezeReads();
    await perform(stage, stage.start(), change, args);
    const posts = stage.count(change.path);
    stage.world.accounts.signIn('owner', false);
    const one = stage.start();
    await perform(stage, one, change, args);
    const { mutations } = await stage.ask(one, (its) => its.list({ limit: 10 }));
    expect(mutations).toMatchObject([{ clientMutationId: id }]);
    expect(stage.count(change.path)).toBe(posts);
  });

  it('is forbidden once, and may be made again under its id', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    stage.treat(change.path, { undone: 403 });
    const one = stage.start();
    expect(await perform(stage, one, change, args)).toMatchObject({ outcome: 'refused' });
    expect(await toEnd(stage, one, await perform(stage, one, change, args))).toMatchObject({
      outcome: 'succeeded',
    });
    expect(stage.count(change.path)).toBe(2);
  });

  it('is refused once, for good', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    stage.treat(change.path, { undone: 422, error: { code: 'test.refused' } });
    const one = stage.start();
    for (let times = 0; times < 2; times += 1)
      expect(await perform(stage, one, change, args)).toMatchObject({
        outcome: 'refused',
        error: { code: 'test.refused' },
      });
    expect(stage.count(change.path)).toBe(1);
  });

  it('is sent again where it surely did not leave', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    stage.treat(change.path, { undone: 'unsent' });
    const one = stage.start();
    expect(await perform(stage, one, change, args)).toMatchObject({ outcome: 'not_sent' });
    expect(await toEnd(stage, one, await perform(stage, one, change, args))).toMatchObject({
      outcome: 'succeeded',
    });
    expect(stage.count(change.path)).toBe(1);
  });

  it('is never sent again once a person has given it up', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    stage.treat(
      change.path,
      { undone: 'and unheard' },
      ...Array.from({ length: 9 }, () => ({ undone: 503 })),
    );
    const one = stage.start();
    await perform(stage, one, change, args);
    await stage.ask(one, (its) => its.abandon(id));
    const posts = stage.count(change.path);
    const again = await perform(stage, stage.start(), change, args);
    expect(again.outcome).not.toBe('succeeded');
    expect(again.next?.tool).toBeUndefined();
    expect(stage.count(change.path)).toBe(posts);
  });
});

describe('a second change for the very same', () => {
  it.each(['an upload', 'a replacement', 'a new group', 'a new grouping Set', 'a new media Set'])(
    'waits for what became of the first: %s',
    async (name) => {
      const change = byName(name);
      const stage = await Stage.open();
      stage.treat(change.path, ...Array.from({ length: 9 }, () => ({ undone: 'and unheard' as const })));
      const one = stage.start();
      const first = await perform(stage, one, change, change.args(stage, id));
      expect(['unresolved', 'interrupted', 'processing']).toContain(first.outcome);
      const posts = stage.count(change.path);
      const second = await perform(stage, one, change, change.args(stage, idOf(2)));
      expect(second).toMatchObject({ error: { category: 'conflict' } });
      expect(second.next?.arguments).toMatchObject({ clientMutationId: id });
      expect(stage.count(change.path)).toBe(posts);
    },
  );

  it.each(['an upload', 'a new group', 'a new media Set'])(
    'does not race with the first: %s',
    async (name) => {
      const change = byName(name);
      const stage = await Stage.open();
      const [one, other] = [stage.start(), stage.start()];
      const [first, second] = [change.args(stage, id), change.args(stage, idOf(2))];
      const both = await Promise.all([
        perform(stage, one, change, first),
        perform(stage, other, change, second),
      ]);
      expect(both.map(({ error }) => error?.category ?? 'made').sort()).toEqual(['conflict', 'made']);
      expect(stage.count(change.path)).toBe(1);
    },
  );

  it('the same bytes go as a single picture or in a Set, not as both at once', async () => {
    for (const order of [
      ['an upload', 'a new media Set'],
      ['a new media Set', 'an upload'],
    ] as const) {
      const stage = await Stage.open();
      const [first, second] = [byName(order[0]), byName(order[1])];
      const item = { file: stage.picture('same').path, slot: 'poster', targetKind: 'reel', targetId: 11 };
      const argsOf = (change: Change, id: string) =>
        change.tool === 'upload_asset'
          ? { ...change.args(stage, id), ...item }
          : { ...change.args(stage, id), declaredFiles: [item] };
      stage.treat(first.path, ...Array.from({ length: 9 }, () => ({ undone: 'and unheard' as const })));
      const one = stage.start();
      await perform(stage, one, first, argsOf(first, idOf(1)));
      expect(await perform(stage, one, second, argsOf(second, idOf(2)))).toMatchObject({
        error: { category: 'conflict' },
      });
    }
  });
});

it('a store that was put back to an earlier state under a process takes no claim of it', async () => {
  const stage = await Stage.open();
  const change = byName('a new group');
  const one = stage.start();
  expect(await perform(stage, one, change, change.args(stage, id))).toMatchObject({ outcome: 'succeeded' });
  // As if from a backup of before anything was claimed.
  await Disk.open();
  expect(await perform(stage, one, change, change.args(stage, id))).toMatchObject({
    error: { code: 'store_replaced' },
  });
  expect(stage.count(change.path)).toBe(1);
});
