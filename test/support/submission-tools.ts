import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { StartedServer } from './client.ts';
import type { Where } from './mutation-tools.ts';
import { onceOnly } from './turns.ts';
import { writePoster } from './unique-pictures.ts';

/** The three requests that a submission is made of. */
export type SubmissionStep = 'admission' | 'transfer' | 'completion';

/** One call that can only succeed, unless the catalogue fails. */
export interface PreparedSubmission {
  readonly arguments: Record<string, unknown> & { readonly clientMutationId: string };
  /** What each step posts; a `*` stands for the submission's id, which nobody knows before. */
  readonly posts: Readonly<Record<SubmissionStep, Where>>;
}

export interface SubmissionTool {
  readonly name: 'create_media_set' | 'edit_set';
  /** The paths that nothing tells from another submission's. */
  readonly sharedPaths: Readonly<Record<SubmissionStep, string | null>>;
  prepare(): Promise<PreparedSubmission>;
}

const saved = z.looseObject({ outcome: z.literal('succeeded'), receipt: z.looseObject({ id: z.int() }) });
const changes = z.object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) });

/** The tools that send a submission, acting through a server whose account has signed in. */
export function submissionTools(server: StartedServer, folder: string): readonly SubmissionTool[] {
  const someTarget = (targetKind: string) =>
    onceOnly(async () => {
      const feed = await server.call('read_feed', { feed: 'assets', targetKind, limit: 1 });
      return z.int().parse(changes.parse(plain(feed)).data[0]?.target.id);
    });
  const [movie, category] = [someTarget('movie'), someTarget('category')];
  const newSet = async () => {
    const create = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: null,
      setKind: 'category_set',
      titleBase: `Category Set ${randomUUID()}`,
      entryTargetKind: 'category',
      entryTargetId: await category(),
    };
    const { id } = saved.parse(plain(await server.call('create_grouping_set', create))).receipt;
    const owned = plain(await server.call('get_owned', { type: 'set', id }));
    return { id, ...z.looseObject({ updatedAt: z.string() }).parse(owned) };
  };
  return [
    {
      name: 'create_media_set',
      sharedPaths: {
        admission: '/me/set-uploads',
        transfer: null,
        completion: '/me/set-uploads/*/complete',
      },
      async prepare() {
        const itemId = randomUUID();
        const targetId = await movie();
        const file = await writePoster(folder);
        return {
          arguments: {
            clientMutationId: randomUUID(),
            expectedUpdatedAt: null,
            entryTargetKind: 'movie',
            entryTargetId: targetId,
            titleBase: `Set ${itemId}`,
            languageCode: 'en',
            finalised: false,
            declaredFiles: [{ itemId, file, targetKind: 'movie', targetId, slot: 'poster' }],
          },
          posts: {
            admission: { path: '/me/set-uploads' },
            transfer: { path: '/me/set-uploads/*/assets', query: { itemId } },
            completion: { path: '/me/set-uploads/*/complete' },
          },
        };
      },
    },
    {
      name: 'edit_set',
      sharedPaths: { admission: null, transfer: null, completion: '/me/set-updates/*/complete' },
      async prepare() {
        const itemId = randomUUID();
        const { id, updatedAt } = await newSet();
        const add = { operation: 'add', targetKind: 'category', targetId: await category(), slot: 'poster' };
        return {
          arguments: {
            clientMutationId: randomUUID(),
            expectedUpdatedAt: updatedAt,
            setId: id,
            setKind: 'category_set',
            metadata: { titleBase: `Edited ${itemId}` },
            items: [{ itemId, file: await writePoster(folder), ...add }],
          },
          posts: {
            admission: { path: `/me/sets/${id}/updates` },
            transfer: { path: '/me/set-updates/*/assets', query: { itemId } },
            completion: { path: '/me/set-updates/*/complete' },
          },
        };
      },
    },
  ];
}

function plain(answer: CallToolResult): unknown {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}
