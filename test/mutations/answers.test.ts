import { describe, expect, it } from 'vitest';
import type { ListPosition } from '../../src/ledger/ledger.ts';
import { changes, followNext, idOf, perform, toEnd } from './changes.ts';
import { Stage } from './stage.ts';

const id = idOf(1);
const elsewhere = '0b0b0b0b-0000-4000-8000-000000000999';
const byName = (name: string) => {
  const found = changes.find((change) => change.name === name);
  if (found === undefined) throw new TypeError(`There is no ${name}.`);
  return found;
};

describe('a receipt that', () => {
  it.each([
    ['an edit of metadata', { data: { id: elsewhere, updatedAt: 'a9' } }],
    ['an edit of a group', { data: { id: 99, updatedAt: 'g9' } }],
    ['an upload', { data: { clientMutationId: idOf(7), assetId: elsewhere, processingStatus: 'succeeded' } }],
  ])('names another thing proves nothing: %s is read back', async (name, told) => {
    const change = byName(name);
    const stage = await Stage.open();
    stage.treat(change.path, { told });
    const one = stage.start();
    const made = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    expect(made).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
    expect(JSON.stringify(made)).not.toContain(elsewhere);
    expect(stage.count(change.path)).toBe(1);
  });

  it.each(['a new group', 'a new grouping Set'])('names nothing tells nothing of %s', async (name) => {
    const change = byName(name);
    const stage = await Stage.open();
    stage.treat(change.path, { told: { data: { ok: true } } });
    const one = stage.start();
    const made = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    expect(made).toMatchObject({ outcome: 'unresolved', clientMutationId: id });
    expect(stage.count(change.path)).toBe(1);
  });

  it('names another file of a Set does not say that this one has arrived', async () => {
    const change = byName('a new media Set');
    const stage = await Stage.open();
    const transfer = /\/set-uploads\/[^/]+\/assets$/;
    stage.treat(transfer, { told: { data: { item: { itemId: elsewhere } } } });
    const one = stage.start();
    const made = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    expect(made).toMatchObject({ outcome: 'succeeded' });
    expect(stage.count(transfer)).toBe(2);
  });

  it('says failed and yet names what it has saved is told as both', async () => {
    const change = byName('an upload');
    const stage = await Stage.open();
    const data = { clientMutationId: id, assetId: elsewhere, processingStatus: 'failed' };
    stage.treat(change.path, {
      told: { data: { ...data, error: { code: 'asset.broken', message: 'No.' } } },
    });
    // Before it is sent the service knows nothing of it.
    stage.world.service.upload = () =>
      stage.count(change.path) === 0 ? null : { ...data, error: { code: 'asset.broken', message: 'No.' } };
    const one = stage.start();
    const made = await toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    expect(made).toMatchObject({ outcome: 'failed', error: { code: 'asset.broken' } });
    expect(made.next?.tool).toBe('new_mutation_ids');
  });
});

it('an upload that the service still works on is told so, and followed to its end', async () => {
  const change = byName('an upload');
  const stage = await Stage.open();
  const upload = stage.world.service.upload.bind(stage.world.service);
  const isReady = { after: 100_000 };
  stage.world.service.upload = (asked, at) => {
    const shown = upload(asked, at);
    return shown === null || at >= isReady.after ? shown : { ...shown, processingStatus: 'processing' };
  };
  stage.treat(change.path, { told: { data: { clientMutationId: id, processingStatus: 'processing' } } });
  const one = stage.start();
  const said = await perform(stage, one, change, change.args(stage, id));
  expect(said).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
  await stage.pass(isReady.after);
  expect(await followNext(stage, one, said)).toMatchObject({
    outcome: 'succeeded',
    publicationStatus: 'pending',
  });
  expect(stage.count(change.path)).toBe(1);
});

describe('the list of changes', () => {
  it('has them newest first, page by page, and those that are open by themselves', async () => {
    const stage = await Stage.open();
    const one = stage.start();
    const made = ['an upload', 'a new group', 'a relationship', 'an edit of metadata'];
    for (const [index, name] of made.entries()) {
      const change = byName(name);
      if (index === 3) stage.treat(change.path, { undone: 'and unheard' });
      await stage.pass(1_000);
      await perform(stage, one, change, change.args(stage, idOf(index + 1)));
    }
    const ids: string[] = [];
    let after: ListPosition | null = null;
    for (let more = true; more; ) {
      const page = await stage.ask(one, (its) =>
        its.list({ limit: 3, ...(after === null ? {} : { after }) }),
      );
      ids.push(...page.mutations.map(({ clientMutationId }) => clientMutationId));
      after = page.next;
      more = after !== null;
    }
    expect(ids).toEqual([4, 3, 2, 1].map(idOf));
    const open = await stage.ask(one, (its) => its.list({ standing: 'open', limit: 10 }));
    expect(open.mutations).toMatchObject([{ clientMutationId: idOf(4), outcome: 'unresolved', live: false }]);
    expect(await stage.ask(one, (its) => its.countOpen())).toBe(1);
  });

  it('tells another account only that there is one, and a person at the machine all of it', async () => {
    const stage = await Stage.open();
    const one = stage.start();
    const change = byName('a new group');
    await perform(stage, one, change, change.args(stage, id));
    stage.world.accounts.signIn('stranger', true);
    const { mutations } = await stage.ask(one, (its) => its.list({ limit: 10 }));
    expect(mutations).toMatchObject([{ clientMutationId: id, account: 'other' }]);
    expect(JSON.stringify(mutations)).not.toContain('A box');
    const forPerson = await stage.ask(one, (its) => its.listForPerson({ limit: 10 }));
    expect(JSON.stringify(forPerson.mutations)).toContain('A box');
  });
});

it('the bytes of an Asset are known once its upload has succeeded', async () => {
  const stage = await Stage.open();
  const change = byName('an upload');
  const one = stage.start();
  const made = await perform(stage, one, change, change.args(stage, id));
  const known = await stage.ask(one, (its) => its.knownBytes());
  expect([...known.keys()]).toEqual([String(made.id?.id).toLowerCase()]);
});
