import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import type { Args } from './host.ts';
import type { SentResult } from './wire.ts';

/** What the model does, in this order. */
export interface Step {
  readonly name: StepName;
  readonly tool: string;
  /** What a person would call it, for hosts that hold tools back until they are searched. */
  readonly wish: string;
  args(told: Told, workspace: string): Args;
}

export type StepName =
  | 'search'
  | 'read'
  | 'pictures'
  | 'error'
  | 'long'
  | 'sign-in'
  | 'account'
  | 'destination'
  | 'upload';

/** What the server has answered to the steps before. */
export type Told = (step: StepName) => SentResult;

const found = z.object({ data: z.array(z.looseObject({ kind: z.string(), id: z.int() })) });
const destinations = z.object({
  data: z.array(z.object({ target: z.object({ id: z.int(), kind: z.string() }) })),
});

export const picture = 'dawn.png';

export const steps: readonly Step[] = [
  {
    name: 'search',
    tool: 'find_titles',
    wish: 'find a show by its name',
    args: () => ({ query: 'breaking bad' }),
  },
  {
    name: 'read',
    tool: 'get_entity',
    wish: 'tv show poster',
    args: (told) => ({ kind: 'show', id: showIn(told) }),
  },
  {
    name: 'pictures',
    tool: 'view_artwork',
    wish: 'compare posters side by side',
    args: (told) => ({ items: [{ kind: 'show', id: showIn(told), slot: 'posters' }] }),
  },
  {
    name: 'error',
    tool: 'get_set',
    wish: 'what does this set of posters lack',
    args: () => ({ kind: 'movie_set', id: 999_999_999 }),
  },
  {
    name: 'long',
    tool: 'list_episodes',
    wish: 'list all episodes',
    args: () => ({ limit: 200 }),
  },
  {
    name: 'sign-in',
    tool: 'connect_account',
    wish: 'sign in',
    args: () => ({}),
  },
  {
    name: 'account',
    tool: 'account_status',
    wish: 'am I signed in',
    args: () => ({}),
  },
  {
    name: 'destination',
    tool: 'find_upload_destinations',
    wish: 'my own sets that a poster can go into',
    args: () => ({ kind: 'media_set' }),
  },
  {
    name: 'upload',
    tool: 'upload_asset',
    wish: 'upload a poster',
    args: (told, workspace) => ({
      clientMutationId: randomUUID(),
      expectedUpdatedAt: 'none',
      operation: 'add',
      slot: 'poster',
      targetKind: 'movie',
      targetId: destinations
        .parse(JSON.parse(told('destination').text))
        .data.find(({ target }) => target.kind === 'movie')?.target.id,
      languageCode: 'en',
      file: path.join(workspace, picture),
    }),
  },
];

function showIn(told: Told): number | undefined {
  return found.parse(JSON.parse(told('search').text)).data.find(({ kind }) => kind === 'show')?.id;
}
