import { describe, expect, it } from 'vitest';
import { assets } from '../simulation/owned-set.ts';
import { changes, idOf, perform, toEnd } from './changes.ts';
import { Stage } from './stage.ts';

const id = idOf(1);
const guarded = changes.filter(({ told, name }) => told === 'revision' || name === 'a replacement');

describe.each(changes)('$name', (change) => {
  it('is checked by a dry run, which claims and sends nothing', async () => {
    const stage = await Stage.open();
    const one = stage.start();
    const args = change.args(stage, id);
    const dry = await perform(stage, one, change, { ...args, dryRun: true });
    expect(dry).toMatchObject({ outcome: 'dry_run', clientMutationId: id });
    expect(dry.requests?.[0]?.path).toMatch(change.path);
    expect(JSON.stringify(dry)).not.toContain('access-');
    expect(stage.got).toEqual([]);
    expect(await stage.ask(one, (its) => its.countOpen())).toBe(0);
    // The dry run was of another intent, and the id is free for this one.
    const made = await perform(stage, one, change, { ...args, ...change.other });
    expect(await toEnd(stage, one, made)).toMatchObject({ outcome: 'succeeded' });
  });

  it('needs its scopes before anything is claimed or sent', async () => {
    const stage = await Stage.open();
    const one = stage.start({
      connections: (connections) => ({
        account: async () => ({ ...(await connections.account()), scopes: ['openid'] }),
        bearer: async (call) => ({ ...(await connections.bearer(call)), scopes: ['openid'] }),
        onUnauthorized: connections.onUnauthorized,
      }),
    });
    const said = await perform(stage, one, change, change.args(stage, id));
    expect(said).toMatchObject({ error: { category: 'scope_missing' }, next: { tool: 'connect_account' } });
    expect(stage.got).toEqual([]);
    expect(await stage.ask(one, (its) => its.countOpen())).toBe(0);
  });

  it('takes no argument that nobody knows, and no revision where there can be none', async () => {
    const stage = await Stage.open();
    const one = stage.start();
    const args = change.args(stage, id);
    const unknown = await perform(stage, one, change, { ...args, colour: 'red' });
    expect(unknown).toMatchObject({ error: { category: 'invalid_arguments' } });
    const isNew = args.expectedUpdatedAt === 'none';
    const wrong = await perform(stage, one, change, { ...args, expectedUpdatedAt: isNew ? 'r9' : null });
    expect(wrong.error?.category).toBe(isNew ? 'invalid_arguments' : 'stale_revision');
    expect(stage.got).toEqual([]);
  });

  it('is for the account that was signed in when it began', async () => {
    const stage = await Stage.open();
    const args = change.args(stage, id);
    // A stranger signs in between the claim and the first byte.
    const one = stage.start({
      ledger: (ledger) => ({
        ...ledger,
        async send(lease, before) {
          stage.world.accounts.signIn('stranger', true);
          return ledger.send(lease, before);
        },
      }),
    });
    const said = await perform(stage, one, change, args);
    expect(['not_sent', 'unresolved', undefined]).toContain(said.outcome);
    expect(stage.got).toEqual([]);
  });
});

describe.each(guarded)('$name', (change) => {
  it('is not made of what has another revision than the one that was read', async () => {
    const stage = await Stage.open();
    const one = stage.start();
    const args = change.args(stage, id);
    const said = await perform(stage, one, change, { ...args, expectedUpdatedAt: 'an old one' });
    expect(said).toMatchObject({ error: { category: 'stale_revision' } });
    expect(said.next?.tool).toMatch(/^(get_owned|list_relationships)$/);
    // Nothing stands in the way of the same call with the right one.
    const made = await perform(stage, one, change, args);
    expect(await toEnd(stage, one, made)).toMatchObject({ outcome: 'succeeded' });
    expect(stage.count(change.path)).toBe(1);
  });
});

it('an edit of a Set stops at the first Asset that is not as it was read', async () => {
  const stage = await Stage.open();
  const change = changes.find(({ tool }) => tool === 'edit_set');
  if (change === undefined) throw new TypeError('There is one.');
  const one = stage.start();
  const item = {
    ...{ operation: 'assign', existingAssetId: assets.assigned.id, expectedAssetUpdatedAt: 'an old one' },
    ...{ slot: 'poster', targetKind: 'reel', targetId: 150 },
  };
  const said = await perform(stage, one, change, { ...change.args(stage, id), items: [item] });
  expect(said).toMatchObject({ outcome: 'refused', error: { category: 'stale_revision' } });
  expect(said.error?.details).toMatchObject({ currentUpdatedAt: 'a1' });
});
