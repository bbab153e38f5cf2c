import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hurried } from '../support/connected.ts';
import type { Answer } from '../support/host.ts';
import { at, dig, listAt, madeId, type Owner, owner } from '../support/person.ts';
import {
  newAsset,
  newGroup,
  newSet,
  ownedNow,
  posterFor,
  someRelationship,
  someWork,
  succeed,
  toEnd,
  watchFrom,
} from '../support/subjects.ts';
import { writeAnimation, writePoster } from '../support/unique-pictures.ts';

type Arguments = Record<string, unknown>;

interface Row {
  readonly name: string;
  readonly tool: string;
  /** What has to be read again once the revision has moved; null: there is none that a change could name. */
  readonly reads: 'get_owned' | 'list_relationships' | null;
  /** The service compares the revision itself, so that the request may leave first. */
  readonly wire?: true;
  /** Without an identity on the wire nothing proves which creation is this one: a person may have to look. */
  readonly lost?: 'perhaps a person';
  /** Makes what the change is about. */
  prepare(me: Owner): Promise<{
    readonly args: Arguments;
    /** Makes another intent of it. */
    readonly other: Arguments;
    /** The paths that are to be asked to change something, in their order; `*` stands for an id. */
    readonly posts: readonly string[];
    /** Facts of the first request's query. */
    readonly query?: Arguments;
    /** What stands there after the success. */
    shows(made: Answer): Promise<void>;
  }>;
}

const rows: readonly Row[] = [
  {
    name: 'upload_asset, add',
    tool: 'upload_asset',
    reads: null,
    async prepare(me) {
      const work = await someWork(me, 'movie');
      const args = { expectedUpdatedAt: 'none', ...(await posterFor(me, work)), languageCode: 'de' };
      return {
        args,
        other: { languageCode: 'fr' },
        posts: ['/me/assets'],
        query: { operation: 'add', slot: 'poster', ...work, languageCode: 'de' },
        shows: async (made) => {
          const { data } = await ownedNow(me, 'asset', madeId(made));
          expect(data).toMatchObject({ id: madeId(made), languageCode: 'de' });
        },
      };
    },
  },
  {
    name: 'upload_asset, replace',
    tool: 'upload_asset',
    reads: 'get_owned',
    async prepare(me) {
      const [work, asset] = [await someWork(me, 'category'), await newAsset(me)];
      const place = { operation: 'replace', previousAssetId: asset.id };
      const args = { ...(await posterFor(me, work)), ...place, expectedUpdatedAt: asset.updatedAt };
      return {
        args,
        other: { file: await writePoster(me.uploads) },
        posts: ['/me/assets'],
        query: { ...place, slot: 'poster', ...work },
        shows: async (made) => {
          expect(madeId(made)).not.toBe(asset.id);
          expect(await ownedNow(me, 'asset', madeId(made))).toMatchObject({ id: madeId(made) });
        },
      };
    },
  },
  {
    name: 'edit_asset_metadata',
    tool: 'edit_asset_metadata',
    reads: 'get_owned',
    wire: true,
    async prepare(me) {
      const { id: assetId, updatedAt } = await newAsset(me);
      return {
        args: { assetId, expectedUpdatedAt: updatedAt, languageCode: 'fr' },
        other: { languageCode: 'de' },
        posts: [`/me/assets/${assetId}/metadata`],
        shows: async (made) => {
          const now = await ownedNow(me, 'asset', assetId);
          expect(now).toMatchObject({ updatedAt: made.updatedAt, data: { languageCode: 'fr' } });
          expect(now.updatedAt).not.toBe(updatedAt);
        },
      };
    },
  },
  {
    name: 'select_preview_frame',
    tool: 'select_preview_frame',
    reads: 'get_owned',
    async prepare(me) {
      const { id: assetId, updatedAt } = await newAsset(me, await writeAnimation(me.uploads));
      return {
        args: { assetId, expectedUpdatedAt: updatedAt, selectedSourceFrame: 2 },
        other: { selectedSourceFrame: 1 },
        posts: [`/me/assets/${assetId}/preview`],
        shows: async (made) =>
          expect(await ownedNow(me, 'asset', assetId)).toMatchObject({
            updatedAt: made.updatedAt,
            data: { selectedSourceFrame: 2 },
          }),
      };
    },
  },
  {
    name: 'create_group',
    tool: 'create_group',
    reads: null,
    lost: 'perhaps a person',
    async prepare(me) {
      const title = `Boxset ${randomUUID()}`;
      return {
        args: { expectedUpdatedAt: 'none', kind: 'boxset', title },
        other: { title: `${title}, part two` },
        posts: ['/me/groups'],
        shows: async (made) =>
          expect((await ownedNow(me, 'group', madeId(made))).data).toMatchObject({ title }),
      };
    },
  },
  {
    name: 'edit_group',
    tool: 'edit_group',
    reads: 'get_owned',
    async prepare(me) {
      const { id: groupId, updatedAt } = await newGroup(me);
      return {
        args: { groupId, expectedUpdatedAt: updatedAt, description: 'Ships included' },
        other: { description: 'Without ships' },
        posts: [`/me/groups/${groupId}`],
        shows: async (made) =>
          expect(await ownedNow(me, 'group', groupId)).toMatchObject({
            updatedAt: made.updatedAt,
            data: { description: 'Ships included' },
          }),
      };
    },
  },
  {
    name: 'create_grouping_set',
    tool: 'create_grouping_set',
    reads: null,
    lost: 'perhaps a person',
    async prepare(me) {
      // Of the kinds of grouping Sets this one is among the upload destinations, where a creation can be found.
      const { targetKind: entryTargetKind, targetId: entryTargetId } = await someWork(me, 'person');
      const set = { setKind: 'talent_set', titleBase: `Set ${randomUUID()}`, entryTargetKind, entryTargetId };
      return {
        args: { expectedUpdatedAt: 'none', ...set },
        other: { titleBase: `${set.titleBase}, part two` },
        posts: ['/me/grouping-sets'],
        shows: async (made) =>
          expect((await ownedNow(me, 'set', madeId(made))).data).toMatchObject({ title: set.titleBase }),
      };
    },
  },
  {
    name: 'assign_grouping_assets',
    tool: 'assign_grouping_assets',
    reads: 'get_owned',
    async prepare(me) {
      const [set, asset] = [await newSet(me), await newAsset(me)];
      const item = {
        existingAssetId: asset.id,
        expectedAssetUpdatedAt: asset.updatedAt,
        ...(await someWork(me, 'category')),
        slot: 'poster',
      };
      return {
        args: { setId: set.id, expectedUpdatedAt: set.updatedAt, items: [item] },
        other: { items: [{ ...item, position: 4 }] },
        posts: [`/me/grouping-sets/${set.id}/assets`],
        shows: async () => {
          const now = await me.call('get_owned', { type: 'set', id: set.id, slot: 'poster' });
          expect(listAt(now, 'data', 'assets').map((one) => at(one, 'id'))).toEqual([asset.id]);
        },
      };
    },
  },
  {
    name: 'change_relationship',
    tool: 'change_relationship',
    reads: 'list_relationships',
    async prepare(me) {
      const { targetId, relationship, updatedAt } = await someRelationship(me);
      const [wanted, other] = relationship === 'follow' ? ['hide', 'clear'] : ['follow', 'clear'];
      return {
        args: { targetKind: 'user', targetId, relationship: wanted, expectedUpdatedAt: updatedAt },
        other: { relationship: other },
        posts: ['/me/relationships'],
        shows: async () =>
          expect(await someRelationship(me, targetId)).toMatchObject({ targetId, relationship: wanted }),
      };
    },
  },
  {
    name: 'create_media_set',
    tool: 'create_media_set',
    reads: null,
    async prepare(me) {
      const { targetKind, targetId } = await someWork(me, 'movie');
      const file = await writePoster(me.uploads);
      const args = {
        expectedUpdatedAt: 'none',
        entryTargetKind: targetKind,
        entryTargetId: targetId,
        titleBase: `Set ${randomUUID()}`,
        languageCode: 'en',
        finalised: false,
        declaredFiles: [{ file, targetKind, targetId, slot: 'poster' }],
      };
      return {
        args,
        other: { finalised: true },
        posts: ['/me/set-uploads', '/me/set-uploads/*/assets', '/me/set-uploads/*/complete'],
        shows: async (made) => {
          expect(dig(made, 'counts')).toEqual({ succeeded: 1 });
          expect((await ownedNow(me, 'set', madeId(made))).data).toMatchObject({ title: args.titleBase });
        },
      };
    },
  },
  {
    name: 'edit_set',
    tool: 'edit_set',
    reads: 'get_owned',
    wire: true,
    async prepare(me) {
      const { id: setId, updatedAt } = await newSet(me);
      const titleBase = `Edited ${randomUUID()}`;
      const item = await posterFor(me, await someWork(me, 'category'));
      const metadata = { titleBase };
      return {
        args: { setId, setKind: 'category_set', expectedUpdatedAt: updatedAt, metadata, items: [item] },
        other: { metadata: { titleBase: `${titleBase}, part two` } },
        posts: [`/me/sets/${setId}/updates`, '/me/set-updates/*/assets', '/me/set-updates/*/complete'],
        shows: async (made) => {
          const now = await me.call('get_owned', { type: 'set', id: setId, slot: 'poster' });
          expect(now).toMatchObject({ updatedAt: made.updatedAt, data: { title: titleBase } });
          expect(listAt(now, 'data', 'assets')).toHaveLength(1);
        },
      };
    },
  },
];

const isAt = (path: string, pattern: string) =>
  new RegExp(`^${pattern.replaceAll('*', '[^/]+')}$`).test(path);

/** What a service says no with. */
const refusal = { error: { code: 'test.refused', message: 'No.', details: {}, issues: [] } };

/** One journey for each row, which a failure names. */
async function each(me: Owner, journey: (row: Row, id: string) => Promise<void>): Promise<void> {
  for (const row of rows) {
    try {
      await journey(row, await me.newId());
    } catch (error) {
      throw new Error(row.name, { cause: error });
    }
  }
}

describe('each of the ten changes', () => {
  it('is shown by a dry run that claims nothing, made once, and answered from then on without being sent', async () => {
    const me = await owner();
    await each(me, async ({ tool, prepare }, clientMutationId) => {
      const { args, other, posts, query = {}, shows } = await prepare(me);
      const call = { clientMutationId, ...args };
      const seen = await watchFrom(me);
      const dry = await me.call(tool, { ...call, ...other, dryRun: true });
      expect(dry).toMatchObject({ isError: false, outcome: 'dry_run', clientMutationId });
      expect(await seen.posts()).toEqual([]);

      // The dry run was of another intent, so the id was not claimed by it.
      const made = await me.call(tool, call);
      expect(made).toMatchObject({ isError: false, outcome: 'succeeded', clientMutationId });
      const received = await seen.posts();
      expect(received).toHaveLength(posts.length);
      received.forEach(({ path, status }, index) => {
        expect(isAt(path, posts[index] ?? ''), path).toBe(true);
        expect([200, 201, 202]).toContain(status);
      });
      const sent = Object.fromEntries(new URLSearchParams(received[0]?.query));
      for (const [name, value] of Object.entries(query)) expect(sent[name]).toBe(String(value));
      if (Object.keys(query).length > 0) expect(sent.clientMutationId).toBe(clientMutationId);
      const effects = await seen.effects();
      expect(new Set(effects.map(({ operation }) => operation)).size).toBe(effects.length);
      if (posts.length === 1) expect(effects).toHaveLength(1);
      await shows(made);

      const again = await me.call(tool, call);
      expect(again).toMatchObject({ isError: false, outcome: 'succeeded', clientMutationId });
      expect(madeId(again)).toBe(madeId(made));
      const reused = await me.call(tool, { ...call, ...other });
      expect(reused).toMatchObject({
        isError: true,
        error: { code: 'mutation_id_reused', category: 'mutation_id_reused' },
      });
      expect(await seen.posts()).toEqual(received);
      expect(await seen.effects()).toEqual(effects);
    });
  });

  it('is not made of what has another revision than the one that was read', async () => {
    const me = await owner();
    await each(me, async ({ tool, reads, wire, prepare }, clientMutationId) => {
      const { args } = await prepare(me);
      const call = { clientMutationId, ...args };
      const seen = await watchFrom(me);
      if (reads === null) {
        const wrong = await me.call(tool, { ...call, expectedUpdatedAt: 'an old one' });
        expect(wrong).toMatchObject({ isError: true, error: { category: 'invalid_arguments' } });
        expect(await seen.posts()).toEqual([]);
        return;
      }
      for (const expectedUpdatedAt of wire === true ? ['an old one'] : ['an old one', 'none']) {
        const stale = await me.call(tool, { ...call, expectedUpdatedAt });
        expect(stale).toMatchObject({
          isError: true,
          error: { category: 'stale_revision' },
          next: { tool: reads },
        });
        expect(wire === true ? ['refused', 'not_sent'] : ['not_sent']).toContain(stale.outcome);
        expect((await me.follow(stale)).isError).toBe(false);
      }
      expect(await seen.effects()).toEqual([]);
      if (wire === true) return;
      expect(await seen.posts()).toEqual([]);
      // Nothing was claimed.
      expect(await me.call(tool, call)).toMatchObject({ outcome: 'succeeded' });
    });
  });

  it('is refused by the service once, for good', async () => {
    const me = await owner(0, hurried());
    await each(me, async ({ tool, prepare }, clientMutationId) => {
      const { args, posts } = await prepare(me);
      const call = { clientMutationId, ...args };
      const seen = await watchFrom(me);
      const answered = { do: 'answer', when: 'received', status: 422, body: refusal };
      await me.control.fail({ method: 'POST', path: posts[0] ?? '', ...answered });
      for (let times = 0; times < 2; times += 1) {
        expect(await me.call(tool, call)).toMatchObject({
          isError: true,
          outcome: 'refused',
          clientMutationId,
          error: { code: 'test.refused', status: 422 },
        });
      }
      expect(await seen.posts()).toHaveLength(1);
      expect(await seen.effects()).toEqual([]);
      // A correction has an id of its own.
      await succeed(me, tool, args);
    });
  });

  it('is made once where its answers are lost, and told once it is known', async () => {
    const me = await owner(0, hurried());
    await each(me, async ({ tool, lost, prepare }, clientMutationId) => {
      const { args, posts } = await prepare(me);
      const call = { clientMutationId, ...args };
      const seen = await watchFrom(me);
      await me.control.fail(...posts.map((path) => ({ method: 'POST', path, do: 'cut' }) as const));
      const first = await me.call(tool, call);
      expect(first.isError).toBe(false);
      // The call looks by itself, and what shows nothing yet is asked for again.
      if (first.outcome !== 'succeeded' && posts.length === 1) {
        expect(first).toMatchObject({
          outcome: 'unresolved',
          clientMutationId,
          next: { tool: 'get_mutation_status', arguments: { clientMutationId } },
        });
      }
      const last = await toEnd(me, first);
      if (lost === undefined) expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId });
      else expect(['succeeded', 'unresolved']).toContain(last.outcome);
      const effects = await seen.effects();
      expect(new Set(effects.map(({ operation }) => operation)).size).toBe(effects.length);
      if (posts.length === 1) expect(effects).toHaveLength(1);
      expect(await me.call(tool, call)).toMatchObject({ outcome: last.outcome, clientMutationId });
      expect(await seen.effects()).toEqual(effects);
      await me.control.heal();
    });
  });
});
