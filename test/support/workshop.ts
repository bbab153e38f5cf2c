import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { StartedServer } from './client.ts';
import type { Prepared, Revision, Where } from './tool-file.ts';
import { onceOnly } from './turns.ts';
import { writePoster } from './unique-pictures.ts';

const saved = z.looseObject({ outcome: z.literal('succeeded'), receipt: z.looseObject({}) });
const revised = z.looseObject({ updatedAt: z.string() });
const changedAssets = z.object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) });
const changedSets = z.object({ data: z.array(z.looseObject({ setId: z.int() })) });
const destinations = z.object({
  data: z.array(z.looseObject({ id: z.int(), target: z.looseObject({ kind: z.string(), id: z.int() }) })),
});
const relationships = z.object({
  data: z.array(z.looseObject({ targetId: z.int(), relationship: z.string(), updatedAt: z.string() })),
});

/** Where the revision of one's own is read. */
export function owned(type: 'asset' | 'set' | 'group', id: string | number): Revision {
  return { path: `/me/${type}s/${id}`, read: { tool: 'get_owned', arguments: { type, id } } };
}

/**
 * Makes what calls are about, through a server whose account has signed in; files go to `folder`. `alone` keeps a
 * shared path to whoever prepares a subject there.
 */
export class Workshop {
  readonly folder: string;
  readonly #server: StartedServer;
  readonly #alone: <Value>(path: string, work: () => Promise<Value>) => Promise<Value>;
  /** The first account acts on the others, which are few: each is one call's at a time. */
  readonly #others = new Pool([2, 3, 4, 5, 6, 7, 8, 9, 10]);

  constructor(
    server: StartedServer,
    folder: string,
    alone: <Value>(path: string, work: () => Promise<Value>) => Promise<Value> = (_, work) => work(),
  ) {
    this.#server = server;
    this.folder = folder;
    this.#alone = alone;
  }

  readonly movie = onceOnly(() => this.#someTarget('movie'));
  readonly category = onceOnly(() => this.#someTarget('category'));

  readonly movieSet = onceOnly(async () => {
    const feed = await this.#read('read_feed', { feed: 'sets', kind: 'movie_set', limit: 1 });
    return z.int().parse(changedSets.parse(feed).data[0]?.setId);
  });

  /** A Set of a film that the account owns. */
  readonly ownSet = onceOnly(async () => {
    const { data } = destinations.parse(await this.#read('find_upload_destinations', { kind: 'media_set' }));
    const own = data.find(({ target }) => target.kind === 'movie');
    if (own === undefined) throw new Error('The account owns no Set of a film.');
    return own;
  });

  /** The id of a change that has ended well. */
  readonly settled = onceOnly(async () => {
    const { arguments: args } = await this.upload({ path: '/me/assets' }, await this.toCategory());
    await this.succeed('upload_asset', args);
    return args.clientMutationId;
  });

  async toCategory() {
    return {
      operation: 'add',
      slot: 'poster',
      targetKind: 'category',
      targetId: await this.category(),
    };
  }

  async newAsset(file?: string) {
    const upload = { ...(await this.toCategory()), file: file ?? (await writePoster(this.folder)) };
    const receipt = await this.succeed('upload_asset', upload);
    const { assetId } = z.looseObject({ assetId: z.string() }).parse(receipt);
    return { assetId, updatedAt: await this.#revisionOf(owned('asset', assetId)) };
  }

  async newGroup() {
    const group = { kind: 'boxset', title: `Boxset ${randomUUID()}` };
    const receipt = await this.#alone('/me/groups', () => this.succeed('create_group', group));
    const { id } = z.looseObject({ id: z.int() }).parse(receipt);
    return { id, updatedAt: await this.#revisionOf(owned('group', id)) };
  }

  async newCategorySet() {
    return {
      setKind: 'category_set',
      titleBase: `Category Set ${randomUUID()}`,
      entryTargetKind: 'category',
      entryTargetId: await this.category(),
    };
  }

  async newSet() {
    const set = await this.newCategorySet();
    const receipt = await this.#alone('/me/grouping-sets', () => this.succeed('create_grouping_set', set));
    const { id } = z.looseObject({ id: z.int() }).parse(receipt);
    return { id, updatedAt: await this.#revisionOf(owned('set', id)) };
  }

  /** Another account that no other call is about, and what is between it and this one. */
  async takeOther() {
    const targetId = await this.#others.take();
    const { data } = relationships.parse(await this.#read('list_relationships', {}));
    const known = data.find((one) => one.targetId === targetId);
    return { targetId, relationship: known?.relationship, updatedAt: known?.updatedAt ?? null };
  }

  giveBack(other: number): void {
    this.#others.give(other);
  }

  /** An upload of a new picture. */
  async upload(
    post: Where,
    args: Record<string, unknown>,
    revision: Revision | null = null,
  ): Promise<Prepared> {
    const clientMutationId = randomUUID();
    return {
      ...guardOf(revision),
      lookup: { path: `/me/asset-uploads/${clientMutationId}` },
      arguments: {
        clientMutationId,
        expectedUpdatedAt: null,
        file: await writePoster(this.folder),
        ...args,
      },
      post: { ...post, query: { clientMutationId } },
      made: (effect) => effect.clientMutationId === clientMutationId,
    };
  }

  /** A change whose request is JSON. */
  json(path: string, args: Record<string, unknown>, revision: Revision | null, lookup?: Where): Prepared {
    const clientMutationId = randomUUID();
    const { guard, read } = guardOf(revision);
    return {
      arguments: { clientMutationId, ...args },
      post: { path },
      guard,
      read,
      lookup: lookup ?? guard,
      made: (effect) => effect.clientMutationId === clientMutationId,
    };
  }

  /** Answers the receipt. */
  async succeed(tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const call = { clientMutationId: randomUUID(), expectedUpdatedAt: null, ...args };
    // A hurried clock may run out on a busy machine; the same call again is answered with what became of it.
    for (let again = 0; again < 5; again += 1) {
      const answer = saved.safeParse((await this.#server.call(tool, call)).structuredContent);
      if (answer.success) return answer.data.receipt;
    }
    return saved.parse(plain(await this.#server.call(tool, call))).receipt;
  }

  async #read(tool: string, args: Record<string, unknown>): Promise<unknown> {
    return plain(await this.#server.call(tool, args));
  }

  async #someTarget(targetKind: string): Promise<number> {
    const feed = await this.#read('read_feed', { feed: 'assets', targetKind, limit: 1 });
    return z.int().parse(changedAssets.parse(feed).data[0]?.target.id);
  }

  async #revisionOf({ read }: Revision): Promise<string> {
    return revised.parse(await this.#read(read.tool, read.arguments)).updatedAt;
  }
}

function guardOf(revision: Revision | null) {
  return revision === null
    ? { guard: null, read: null }
    : { guard: { path: revision.path }, read: revision.read };
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
