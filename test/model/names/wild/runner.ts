import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Plan } from '../../../../src/curation/plan/plan.ts';
import { fillFolder, paint } from '../../../curation/folders.ts';
import { type Planner, planIn, type Shown, startPlanner } from '../../../curation/plan/planner.ts';
import type { Context, Place } from '../types.ts';
import type { WildName } from './types.ts';

/**
 * What a plan came to, for one name. `right`: as wanted, without a question or with the one that is wanted. `asked`: with
 * a question that names the right place first, where none was needed. `otherwise`: with another question, or left out.
 * `wrong`: taken for what it is not, or without the question that is wanted.
 */
type Verdict = 'right' | 'asked' | 'otherwise' | 'wrong';

export function asksRatherThanGuesses(half: string, rows: readonly WildName[]): void {
  it(`asks about names of the wild rather than guess: ${half}`, { timeout: 60_000 }, async () => {
    const planner = await startPlanner();
    onTestFinished(() => planner.leave());
    const { verdicts, counts, served } = await judge(planner, rows);
    for (const { name, verdict, came } of verdicts)
      if (verdict === 'wrong' || verdict === 'otherwise')
        process.stdout.write(`${verdict}: ${name.work.title}: ${name.path}: ${came}\n`);
    const share = `${(100 * served).toFixed(1)} % right or asked`;
    process.stdout.write(`${half}: ${JSON.stringify(counts)} of ${rows.length}, ${share}\n`);
    expect(counts.wrong).toBe(0);
    expect(served).toBeGreaterThanOrEqual(0.95);
  });
}

/** What all names come to, each planned for from a folder with real pictures, as `plan_set` does it. */
async function judge(planner: Planner, all: readonly WildName[]) {
  const verdicts: { readonly name: WildName; readonly verdict: Verdict; readonly came: string }[] = [];
  for (const [at, name] of all.entries()) {
    const entry = await planned(planner, name, at);
    verdicts.push({ name, verdict: verdictOn(name, entry), came: saidOf(entry.came) });
  }
  const count = (verdict: Verdict) => verdicts.filter((each) => each.verdict === verdict).length;
  const counts = {
    right: count('right'),
    asked: count('asked'),
    otherwise: count('otherwise'),
    wrong: count('wrong'),
  };
  return { verdicts, counts, served: (counts.right + counts.asked) / all.length };
}

interface Came {
  readonly came: Plan['entries'][number] | null;
  /** What a plan says of a text that lies beside it. */
  readonly ofText: string | null;
}

async function planned(planner: Planner, name: WildName, at: number): Promise<Came> {
  const folder = path.join(planner.folder, String(at), name.folder ?? 'pictures');
  const [width, height] = name.size ?? sizeOf(name);
  const files = [name.path, ...(name.beside ?? [])];
  const pictures = await Promise.all(
    files.map((_, index) => paint({ width, height, colour: name.same === true ? at : 7 * at + index })),
  );
  await fillFolder(folder, Object.fromEntries(files.map((file, index) => [file, pictures[index] ?? ''])));
  await fillFolder(folder, { 'a text.txt': 'x' });
  const { kind, id } = name.work;
  const { entries } = planIn(await planner.make(shownOf(name.work), { kind, id }, { folder }));
  const of = (file: string) => entries.find((entry) => 'path' in entry && entry.path === file) ?? null;
  const text = of('a text.txt');
  return { came: of(name.path), ofText: text !== null && 'why' in text ? text.why.code : null };
}

function verdictOn({ wanted }: WildName, { came, ofText }: Came): Verdict {
  const taken = came?.status === 'matched' ? keyOf(came.place) : null;
  const [first] = came?.status === 'ambiguous' ? came.places.map(keyOf) : [];
  if ('match' in wanted) {
    const key = keyOf(wanted.match);
    if (taken !== null) return taken === key ? 'right' : 'wrong';
    return first === key ? 'asked' : 'otherwise';
  }
  if (taken !== null) return 'wrong';
  if ('ask' in wanted) {
    if (came?.status !== 'ambiguous') return 'otherwise';
    return wanted.ask === null || first === keyOf(wanted.ask) ? 'right' : 'otherwise';
  }
  if ('tell' in wanted) {
    const isTold = came !== null && (came.status !== 'ignored' || came.why.code !== (ofText ?? 'junk'));
    return isTold ? 'right' : 'otherwise';
  }
  return came?.status === 'ambiguous' ? 'otherwise' : 'right';
}

/** In few words, for whoever looks why. */
function saidOf(came: Came['came']): string {
  if (came === null) return 'nothing';
  if (came.status === 'ambiguous') return `${came.why.code} ${came.places.map(keyOf).slice(0, 3).join(', ')}`;
  return 'place' in came ? keyOf(came.place) : `${came.status} ${came.why.code}`;
}

function keyOf(
  place: Place | { readonly target: { readonly kind: string; readonly id: number }; slot: string },
) {
  return 'target' in place
    ? `${place.target.kind} ${place.target.id} ${place.slot}`
    : `${place.targetKind} ${place.targetId} ${place.slot}`;
}

const wide = [320, 180] as const;
const sizes: Readonly<Record<string, readonly [number, number]>> = {
  poster: [200, 300],
  cover: [200, 300],
  logo: [320, 120],
  squareArt: [200, 200],
  squareCover: [200, 200],
  icon: [200, 200],
  hero: [384, 124],
  wideCover: [460, 215],
};

function sizeOf({ wanted }: WildName): readonly [number, number] {
  const place = 'match' in wanted ? wanted.match : 'ask' in wanted ? wanted.ask : null;
  return sizes[place?.slot ?? ''] ?? wide;
}

/** The records that a catalogue shows of a work (interface document, Resources). */
function shownOf(work: Context): Shown {
  const at = `${work.kind} ${work.id}`;
  switch (work.kind) {
    case 'movie':
    case 'game':
      return { [at]: work };
    case 'collection':
      return {
        [at]: work,
        ...Object.fromEntries(work.movies.map((movie) => [`movie ${movie.id}`, movie])),
      };
    case 'show': {
      const { seasons, id, title, year } = work;
      const own = { id, title };
      const records = seasons.map((season) => [`season ${season.id}`, { ...season, show: own }] as const);
      return { [at]: { title, year, seasons }, ...Object.fromEntries(records) };
    }
  }
}
