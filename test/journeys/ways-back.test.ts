import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { at, dig, type Owner, owner } from '../support/person.ts';
import {
  categorySet,
  newAsset,
  newGroup,
  newSet,
  ownedNow,
  someRelationship,
  succeed,
} from '../support/subjects.ts';
import { writeAnimation } from '../support/unique-pictures.ts';

type Arguments = Record<string, unknown>;

interface Row {
  readonly tool: string;
  /** Makes what is changed twice: the first change is put back. */
  prepare(me: Owner): Promise<{
    readonly subject: Arguments;
    readonly changes: readonly [Arguments, Arguments];
    revision(): Promise<string>;
    /** What the first change has made of it, and the second one is to be put back to. */
    shows(): Promise<unknown>;
  }>;
}

const rows: readonly Row[] = [
  {
    tool: 'edit_asset_metadata',
    async prepare(me) {
      const { id } = await newAsset(me);
      return {
        subject: { assetId: id },
        changes: [{ languageCode: 'de' }, { languageCode: 'fr' }],
        revision: async () => (await ownedNow(me, 'asset', id)).updatedAt,
        shows: async () => dig(await ownedNow(me, 'asset', id), 'data', 'languageCode'),
      };
    },
  },
  {
    tool: 'select_preview_frame',
    async prepare(me) {
      const { id } = await newAsset(me, await writeAnimation(me.uploads));
      return {
        subject: { assetId: id },
        changes: [{ selectedSourceFrame: 2 }, { selectedSourceFrame: 1 }],
        revision: async () => (await ownedNow(me, 'asset', id)).updatedAt,
        shows: async () => dig(await ownedNow(me, 'asset', id), 'data', 'selectedSourceFrame'),
      };
    },
  },
  {
    tool: 'edit_group',
    async prepare(me) {
      const { id } = await newGroup(me);
      const [first, second] = [`First ${randomUUID()}`, `Second ${randomUUID()}`];
      return {
        subject: { groupId: id },
        changes: [
          { title: first, description: 'One' },
          { title: second, description: 'Two' },
        ],
        revision: async () => (await ownedNow(me, 'group', id)).updatedAt,
        shows: async () => {
          const { data } = await ownedNow(me, 'group', id);
          return [dig(data, 'title'), dig(data, 'description')];
        },
      };
    },
  },
  {
    tool: 'edit_set',
    async prepare(me) {
      const { id } = await newSet(me);
      const { titleBase } = await categorySet(me);
      return {
        subject: { setId: id, setKind: 'category_set' },
        changes: [
          { metadata: { titleBase, description: 'One' } },
          { metadata: { titleBase: `${titleBase} 2`, description: 'Two' } },
        ],
        revision: async () => (await ownedNow(me, 'set', id)).updatedAt,
        shows: async () => {
          const { data } = await ownedNow(me, 'set', id);
          return [dig(data, 'title'), dig(data, 'description')];
        },
      };
    },
  },
  {
    tool: 'change_relationship',
    async prepare(me) {
      const { targetId, relationship } = await someRelationship(me);
      const changes = [{ relationship: 'follow' }, { relationship: 'hide' }] as const;
      return {
        subject: { targetKind: 'user', targetId: targetId },
        changes: relationship === 'follow' ? [changes[1], changes[0]] : changes,
        revision: async () => (await someRelationship(me, targetId)).updatedAt,
        shows: async () => (await someRelationship(me, targetId)).relationship,
      };
    },
  },
];

it('what a change has put aside is told, and comes back by one call', async () => {
  const me = await owner();
  for (const { tool, prepare } of rows) {
    const { subject, changes, revision, shows } = await prepare(me);
    const change = async (to: Arguments) =>
      succeed(me, tool, { ...subject, ...to, expectedUpdatedAt: await revision() });
    await change(changes[0]);
    const before = await shows();
    const second = await change(changes[1]);
    expect([tool, await shows()]).not.toEqual([tool, before]);
    const undone = await me.call(at(second, 'undo', 'tool'), Object(dig(second, 'undo', 'arguments')));
    expect(undone).toMatchObject({ outcome: 'succeeded' });
    expect([tool, await shows()]).toEqual([tool, before]);
  }
});
