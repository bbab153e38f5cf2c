import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Hit, TitleIndex } from '../../../src/curation/find/title-index.ts';

/** What a person says, and what of the embedded catalogue is meant by it: any of several where it may be either. */
export interface Spoken {
  readonly query: string;
  readonly expect: readonly string[];
}

const line = z.strictObject({ query: z.string().min(1), expect: z.array(z.string().min(1)).min(1) });

/** @param name of a file of JSON lines in queries/ */
export function spokenIn(name: string): Spoken[] {
  const text = readFileSync(path.join(import.meta.dirname, 'queries', name), 'utf8');
  return text
    .split('\n')
    .filter((one) => one !== '')
    .map((one) => line.parse(JSON.parse(one)));
}

const setKind = /^(?:\w+_set|boxset|loadout)$/;

/**
 * Whether a hit is what was meant: `movie:Dune`, `movie:Dune (2021)`, `episode:Dark/2x3`, `season:Dark/2`,
 * `sets of Dark`, `sets by azulejo`, `sets of Dark by azulejo`.
 */
export function isMeant(hit: Hit, meant: string): boolean {
  const [, target, maker] = /^sets(?: of (.+?))?(?: by (.+))?$/.exec(meant) ?? [];
  if (target !== undefined || maker !== undefined) {
    return (
      setKind.test(hit.kind) &&
      (target === undefined || hit.target?.name === target) &&
      (maker === undefined || hit.creator === maker)
    );
  }
  const [, kind = '', name = ''] = /^(\w+):(.+)$/.exec(meant) ?? [];
  if (kind === '') throw new Error(`Not a description of a title: ${meant}`);
  if (hit.kind !== kind) return false;
  const [, show, season, episode] = /^(.+)\/(\d+)(?:x(\d+))?$/.exec(name) ?? [];
  if (kind === 'episode' || kind === 'season') {
    return (
      hit.show?.name === show &&
      hit.season === Number(season) &&
      hit.episode === (episode === undefined ? null : Number(episode))
    );
  }
  const [, title, year] = /^(.+) \((\d{4})\)$/.exec(name) ?? [];
  // The catalogue writes some accents apart from their letters.
  const called = hit.name?.normalize('NFC');
  return called === name || (called === title && hit.year === Number(year));
}

export interface Rates {
  readonly queries: number;
  readonly atOne: number;
  readonly atThree: number;
  /** Those whose best hit is another one, with what it is. */
  readonly missed: readonly string[];
}

export async function hitRates(index: TitleIndex, spoken: readonly Spoken[]): Promise<Rates> {
  let [first, third] = [0, 0];
  const missed: string[] = [];
  for (const { query, expect } of spoken) {
    const { hits } = await index.search({ query, offset: 0, limit: 3 });
    const at = hits.findIndex((hit) => expect.some((meant) => isMeant(hit, meant)));
    if (at === 0) first += 1;
    if (at >= 0) third += 1;
    if (at !== 0) {
      const [best] = hits;
      missed.push(
        `${query}: ${expect.join(' or ')}, not ${best === undefined ? 'nothing' : `${best.kind}:${best.name}`}`,
      );
    }
  }
  return { queries: spoken.length, atOne: first / spoken.length, atThree: third / spoken.length, missed };
}
