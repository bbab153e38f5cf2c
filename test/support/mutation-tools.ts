import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Effect } from './catalogue-control.ts';
import type { StartedServer } from './client.ts';
import { onceOnly } from './turns.ts';
import { writeAnimation, writePoster } from './unique-pictures.ts';

/** A path below `{base_url}`, and the part of its query that matters. */
export interface Where {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** One call of a mutation tool that can only succeed, unless the catalogue fails. */
export interface Prepared {
  readonly arguments: Record<string, unknown> & { readonly clientMutationId: string };
  /** Its one request; `query` tells it from every other to the same path, where anything does. */
  readonly post: Where;
  /** What its guard reads before it is sent; null: nothing. */
  readonly guard: Where | null;
  /** What tells of it afterwards; null: nothing does. */
  readonly lookup: Where | null;
  /** Whether an effect is this call's. */
  made(effect: Effect): boolean;
  /** The subject may be another call's now. */
  free?(): void;
}

/** A mutation tool in one of its uses, with a new subject for each call. */
export interface MutationTool {
  readonly name: string;
  readonly tool: string;
  /** Where nothing tells its request from another one's to the same path: that path. */
  readonly sharedPath: string | null;
  prepare(): Promise<Prepared>;
}

const saved = z.looseObject({ outcome: z.literal('succeeded'), receipt: z.looseObject({}) });
const owned = z.looseObject({ updatedAt: z.string() });
const listed = z.object({ data: z.array(z.looseObject({ targetId: z.int(), updatedAt: z.string() })) });

/**
 * Every mutation tool, acting through a server whose account has signed in; files go to `folder`. `alone`
 * keeps a shared path to whoever prepares a subject there.
 */
export function mutationTools(
  server: StartedServer,
  folder: string,
  alone: <Value>(path: string, work: () => Promise<Value>) => Promise<Value> = (_, work) => work(),
): readonly MutationTool[] {
  const succeed = async (tool: string, args: Record<string, unknown>) => {
    const call = { clientMutationId: randomUUID(), expectedUpdatedAt: null, ...args };
    // A hurried clock may run out on a busy machine; the same call again is answered with what became of it.
    for (let again = 0; again < 5; again += 1) {
      const answer = saved.safeParse((await server.call(tool, call)).structuredContent);
      if (answer.success) return answer.data.receipt;
    }
    return saved.parse(plain(await server.call(tool, call))).receipt;
  };
  const revisionOf = async (type: 'asset' | 'set' | 'group', id: unknown) =>
    owned.parse(plain(await server.call('get_owned', { type, id }))).updatedAt;

  const categories = onceOnly(async () => {
    const feed = await server.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
    const change = z.object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) });
    return z.int().parse(change.parse(plain(feed)).data[0]?.target.id);
  });
  const toCategory = async (slot = 'poster') => ({
    operation: 'add',
    slot,
    targetKind: 'category',
    targetId: await categories(),
  });

  const newAsset = async (file?: string) => {
    const upload = { ...(await toCategory()), file: file ?? (await writePoster(folder)) };
    const { assetId } = z.looseObject({ assetId: z.string() }).parse(await succeed('upload_asset', upload));
    return { assetId, updatedAt: await revisionOf('asset', assetId) };
  };
  const newGroup = async () => {
    const group = { kind: 'boxset', title: `Boxset ${randomUUID()}` };
    const receipt = await alone('/me/groups', () => succeed('create_group', group));
    const { id } = z.looseObject({ id: z.int() }).parse(receipt);
    return { id, updatedAt: await revisionOf('group', id) };
  };
  const newCategorySet = async () => ({
    setKind: 'category_set',
    titleBase: `Category Set ${randomUUID()}`,
    entryTargetKind: 'category',
    entryTargetId: await categories(),
  });
  const newSet = async () => {
    const set = await newCategorySet();
    const receipt = await alone('/me/grouping-sets', () => succeed('create_grouping_set', set));
    const { id } = z.looseObject({ id: z.int() }).parse(receipt);
    return { id, updatedAt: await revisionOf('set', id) };
  };
  /** The first account acts on the others, which are few: each is one call's at a time. */
  const others = new Pool([2, 3, 4, 5, 6, 7, 8, 9, 10]);

  const upload = async (
    path: string,
    args: Record<string, unknown>,
    guard: string | null = null,
  ): Promise<Prepared> => {
    const clientMutationId = randomUUID();
    return {
      guard: guard === null ? null : { path: guard },
      lookup: { path: `/me/asset-uploads/${clientMutationId}` },
      arguments: { clientMutationId, expectedUpdatedAt: null, file: await writePoster(folder), ...args },
      post: { path, query: { clientMutationId } },
      made: (effect) => effect.clientMutationId === clientMutationId,
    };
  };
  const json = (
    path: string,
    args: Record<string, unknown>,
    guard: Where | null,
    lookup = guard,
  ): Prepared => {
    const clientMutationId = randomUUID();
    return {
      arguments: { clientMutationId, ...args },
      post: { path },
      guard,
      lookup,
      made: (effect) => effect.clientMutationId === clientMutationId,
    };
  };

  return [
    {
      name: 'upload_asset, add',
      tool: 'upload_asset',
      sharedPath: null,
      prepare: async () => upload('/me/assets', await toCategory()),
    },
    {
      name: 'upload_asset, replace',
      tool: 'upload_asset',
      sharedPath: null,
      async prepare() {
        const { assetId, updatedAt } = await newAsset();
        const replace = { operation: 'replace', previousAssetId: assetId, expectedUpdatedAt: updatedAt };
        return upload('/me/assets', { ...(await toCategory()), ...replace }, `/me/assets/${assetId}`);
      },
    },
    {
      name: 'upload_asset, into a Set',
      tool: 'upload_asset',
      sharedPath: null,
      async prepare() {
        const { id, updatedAt } = await newSet();
        const into = { operation: 'add', slot: 'poster', setId: id, expectedUpdatedAt: updatedAt };
        return upload(`/me/sets/${id}/assets`, into, `/me/sets/${id}`);
      },
    },
    {
      name: 'upload_asset, poster of a group',
      tool: 'upload_asset',
      sharedPath: null,
      async prepare() {
        const { id, updatedAt } = await newGroup();
        const onto = { operation: 'add', slot: 'poster', groupId: id, expectedUpdatedAt: updatedAt };
        return upload(`/me/groups/${id}/poster`, onto, `/me/groups/${id}`);
      },
    },
    {
      name: 'edit_asset_metadata',
      tool: 'edit_asset_metadata',
      sharedPath: null,
      async prepare() {
        const { assetId, updatedAt } = await newAsset();
        const edit = { assetId, expectedUpdatedAt: updatedAt, languageCode: 'fr' };
        return {
          ...json(`/me/assets/${assetId}/metadata`, edit, { path: `/me/assets/${assetId}` }),
          // The wire carries no identity here.
          made: ({ resource, operation }) => resource.id === assetId && operation === 'asset.metadata',
        };
      },
    },
    {
      name: 'select_preview_frame',
      tool: 'select_preview_frame',
      sharedPath: null,
      async prepare() {
        const { assetId, updatedAt } = await newAsset(await writeAnimation(folder));
        const select = { assetId, expectedUpdatedAt: updatedAt, selectedSourceFrame: 2 };
        return json(`/me/assets/${assetId}/preview`, select, { path: `/me/assets/${assetId}` });
      },
    },
    {
      name: 'create_group',
      tool: 'create_group',
      sharedPath: '/me/groups',
      async prepare() {
        const title = `Boxset ${randomUUID()}`;
        const lookup = { path: '/me/upload-destinations', query: { q: title } };
        return json('/me/groups', { expectedUpdatedAt: null, kind: 'boxset', title }, null, lookup);
      },
    },
    {
      name: 'edit_group',
      tool: 'edit_group',
      sharedPath: null,
      async prepare() {
        const { id, updatedAt } = await newGroup();
        const edit = { groupId: id, expectedUpdatedAt: updatedAt, description: 'Ships included' };
        return json(`/me/groups/${id}`, edit, { path: `/me/groups/${id}` });
      },
    },
    {
      name: 'create_grouping_set',
      tool: 'create_grouping_set',
      sharedPath: '/me/grouping-sets',
      async prepare() {
        const create = { expectedUpdatedAt: null, ...(await newCategorySet()) };
        return json('/me/grouping-sets', create, null);
      },
    },
    {
      name: 'assign_grouping_assets',
      tool: 'assign_grouping_assets',
      sharedPath: null,
      async prepare() {
        const [set, asset] = [await newSet(), await newAsset()];
        const item = {
          existingAssetId: asset.assetId,
          expectedAssetUpdatedAt: asset.updatedAt,
          targetKind: 'category',
          targetId: await categories(),
          slot: 'poster',
        };
        const assign = { setId: set.id, expectedUpdatedAt: set.updatedAt, items: [item] };
        return json(`/me/grouping-sets/${set.id}/assets`, assign, { path: `/me/sets/${set.id}` });
      },
    },
    {
      name: 'change_relationship',
      tool: 'change_relationship',
      sharedPath: '/me/relationships',
      async prepare() {
        const targetId = await others.take();
        const { data } = listed.parse(plain(await server.call('list_relationships')));
        const known = data.find((one) => one.targetId === targetId);
        const relationship = known?.relationship === 'follow' ? 'hide' : 'follow';
        const expectedUpdatedAt = known?.updatedAt ?? null;
        const change = { targetKind: 'user', targetId, relationship, expectedUpdatedAt };
        const there = { path: '/me/relationships' };
        return { ...json('/me/relationships', change, there), free: () => others.give(targetId) };
      },
    },
  ];
}

class Pool {
  readonly #free: number[];
  readonly #waiting: ((one: number) => void)[] = [];

  constructor(all: readonly number[]) {
    this.#free = [...all];
  }

  async take(): Promise<number> {
    return this.#free.pop() ?? new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(one: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(one);
    else next(one);
  }
}

function plain(answer: CallToolResult): unknown {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}
