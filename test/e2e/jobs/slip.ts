import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { read, type Told } from '../../support/follower.ts';
import { writeWide } from '../../support/unique-pictures.ts';
import type { Place } from './mistake.ts';
import { fresh, type Scene } from './scene.ts';
import { type Counting, wordsOf } from './tally.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** A Set of the account's own, of the scene's show: a poster, and title cards that were sent out of their order. */
export interface OwnShowSet {
  readonly id: number;
  /** The revision of the Set. */
  readonly updatedAt: string;
  /** By the codes of their episodes. */
  readonly cards: Readonly<Record<string, { readonly id: string; readonly updatedAt: string }>>;
}

export interface SlipScene extends Scene {
  readonly showSet: OwnShowSet;
  /** A change that has ended, and the revision that it rested on. */
  readonly settled: string;
  readonly settledRevision: string;
  /** A picture that is nowhere else, 400 × 225. */
  wide(): Promise<string>;
  /** Who is followed, by the arguments that a change of it takes. */
  followed(): Promise<Arguments>;
}

const madeSet = z.looseObject({
  outcome: z.literal('succeeded'),
  receipt: z.looseObject({ setId: z.int() }),
});
const ownedSet = z.looseObject({
  updatedAt: z.string(),
  data: z.looseObject({
    assets: z.array(
      z.looseObject({
        id: z.string(),
        slot: z.string(),
        updatedAt: z.string(),
        target: z.looseObject({ id: z.int() }),
      }),
    ),
  }),
});
const relationships = z.object({
  data: z.array(z.looseObject({ targetKind: z.string(), targetId: z.int(), updatedAt: z.string() })).min(1),
});

/** What slips are made with beside what the mistakes need. */
export async function withSlips(scene: Scene): Promise<SlipScene> {
  const { answer } = scene.hosts.connected;
  const { show } = scene;
  const settled = randomUUID();
  const wide = () => writeWide(scene.folder);
  const card = async (code: string) => ({
    file: await wide(),
    targetKind: 'episode',
    targetId: show.episodes.find((one) => one.code === code)?.id,
    slot: 'titlecard',
  });
  const poster = {
    file: await scene.poster(),
    targetKind: 'show',
    targetId: show.showId,
    slot: 'poster',
  };
  const creation = {
    ...fresh(),
    clientMutationId: settled,
    entryTargetKind: 'show',
    entryTargetId: show.showId,
    titleBase: 'Of slips',
    languageCode: 'en',
    finalised: false,
    declaredFiles: [await card('S02E01'), await card('S01E02'), await card('S01E01'), poster],
  };
  const { receipt } = madeSet.parse(await answer('create_media_set', creation));
  const { updatedAt, data } = ownedSet.parse(await answer('get_owned', { type: 'set', id: receipt.setId }));
  const cards = data.assets.flatMap(({ id, updatedAt, target }) => {
    const code = show.episodes.find((episode) => episode.id === target.id)?.code;
    return code === undefined ? [] : [[code, { id, updatedAt }] as const];
  });
  // Until public reads show it.
  await vi.waitFor(() => answer('get_set', { kind: 'show_set', id: receipt.setId }), { timeout: 30_000 });
  return {
    ...scene,
    showSet: { id: receipt.setId, updatedAt, cards: Object.fromEntries(cards) },
    settled,
    settledRevision: creation.expectedUpdatedAt,
    wide,
    async followed() {
      const [one] = relationships.parse(await answer('list_relationships', { limit: 1 })).data;
      const { targetKind, targetId, updatedAt: expectedUpdatedAt } = one ?? {};
      return { targetKind, targetId, expectedUpdatedAt };
    },
  };
}

/** A call that people and models make instead of the one that they mean. */
export interface Slip {
  readonly what: string;
  readonly tool: string;
  readonly args: (scene: SlipScene) => Arguments | Promise<Arguments>;
  readonly leads: Lead;
  /** Left out: connected. */
  readonly at?: Place;
}

/** Where one step takes who made the slip. */
export type Lead =
  /** It is taken as it was meant: the call itself succeeds. */
  | 'is taken'
  /** The answer's `next` is this call. */
  | { readonly to: string; readonly with?: (scene: SlipScene, given: Arguments) => Arguments }
  /** The answer's `next` names no tool: it is a question to the person, or something that only a person can do. */
  | { readonly asks: RegExp };

/**
 * Makes the slip, and goes on by the answer alone: its `next` as it stands.
 * @throws where that is not the call that was meant, or does not succeed
 */
export async function make(slip: Slip, scene: SlipScene): Promise<void> {
  const host = scene.hosts[slip.at ?? 'connected'];
  const args = await slip.args(scene);
  const told = await call(host, slip.tool, args);
  const { leads } = slip;
  if (leads === 'is taken') {
    expect(told.error, wordsOf(told)).toBeUndefined();
    return;
  }
  if ('asks' in leads) {
    expect(told.next?.tool, wordsOf(told)).toBeUndefined();
    expect(told.next?.why ?? '', wordsOf(told)).toMatch(leads.asks);
    return;
  }
  const { next } = told;
  expect(next?.tool, wordsOf(told)).toBe(leads.to);
  if (leads.with !== undefined) expect(next?.arguments, wordsOf(told)).toEqual(leads.with(scene, args));
  const then = await call(host, next?.tool ?? '', next?.arguments ?? {});
  expect(then.error, `${JSON.stringify(next)}: ${wordsOf(then)}`).toBeUndefined();
}

async function call(host: Counting, tool: string, args: Arguments): Promise<Told> {
  return read({ tool, arguments: { ...args } }, await host.call(tool, { ...args }));
}
