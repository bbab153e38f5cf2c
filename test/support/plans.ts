import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { z } from 'zod';
import type { StartedServer } from './client.ts';

/** A fictional show of the embedded catalogue with 62 episodes. */
export const title = 'The Sixty-Two Doors of Wexmoor';

/** A show of the embedded catalogue. */
export interface FoundShow {
  readonly showId: number;
  /** In the catalogue's order. */
  readonly episodes: readonly { readonly id: number; readonly code: string }[];
}

const indexPage = z.object({
  data: z.array(
    z.looseObject({
      id: z.int(),
      seasonNumber: z.int(),
      episodeNumber: z.int(),
      show: z.looseObject({ id: z.int(), title: z.string() }),
    }),
  ),
  nextCursor: z.string().nullable(),
});

export type Wexmoor = FoundShow;

export function findWexmoor(server: StartedServer): Promise<Wexmoor> {
  return findShow(server, title);
}

export async function findShow(server: StartedServer, called: string): Promise<FoundShow> {
  const found: z.output<typeof indexPage>['data'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args: Record<string, unknown> = cursor === undefined ? { limit: 200 } : { limit: 200, cursor };
    const page = indexPage.parse((await server.call('list_episodes', args)).structuredContent);
    found.push(...page.data.filter(({ show }) => show.title === called));
    cursor = page.nextCursor;
  }
  const pad = (number: number) => String(number).padStart(2, '0');
  const episodes = found
    .map(({ id, seasonNumber, episodeNumber }) => ({
      id,
      code: `S${pad(seasonNumber)}E${pad(episodeNumber)}`,
    }))
    .sort((one, other) => (one.code < other.code ? -1 : 1));
  return { showId: found[0]?.show.id ?? 0, episodes };
}

export const said = z.object({ code: z.string(), message: z.string() });
const entry = z.looseObject({
  status: z.enum(['matched', 'ambiguous', 'unmatched', 'ignored', 'missing']),
  file: z.string().optional(),
  target: z.object({ kind: z.string(), id: z.int(), label: z.string() }).optional(),
  slot: z.string().optional(),
  operation: z.string().optional(),
  ask: z.string().optional(),
  candidates: z
    .array(z.looseObject({ targetKind: z.string(), targetId: z.int(), slot: z.string(), label: z.string() }))
    .optional(),
  why: z.string().optional(),
  problem: said.optional(),
  warnings: z.array(said).optional(),
});
const nextCall = z.object({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  why: z.string(),
});
const viewCall = z.looseObject({
  tool: z.literal('view_artwork'),
  arguments: z.object({
    planId: z.uuid(),
    items: z.array(z.object({ file: z.string() })).max(24),
  }),
});
export const planned = z.looseObject({
  planId: z.uuid().nullable(),
  folder: z.string(),
  counts: z.record(z.string(), z.int()),
  work: z.looseObject({ kind: z.string(), id: z.int(), title: z.string() }),
  made: z.array(z.looseObject({ setId: z.int(), title: z.string(), outcome: z.string() })).optional(),
  data: z.array(entry),
  nextCursor: z.string().nullable(),
  view: z.array(viewCall).max(1),
  next: nextCall,
});

export function answerOf<Schema extends z.ZodType>(schema: Schema, result: CallToolResult): z.output<Schema> {
  const [text] = result.content;
  if (result.isError === true || text?.type !== 'text') throw new Error(JSON.stringify(result.content));
  expect(text.text.length).toBeLessThanOrEqual(18_000);
  return schema.parse(JSON.parse(text.text));
}

export const outcome = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string().optional(),
  counts: z.record(z.string(), z.int()).optional(),
  receipt: z.looseObject({ setId: z.int() }).optional(),
  requests: z.array(z.looseObject({ path: z.string(), body: z.unknown() })).optional(),
  warnings: z.array(said).optional(),
});
