import { describe, expect, it } from 'vitest';
import { keyOfPlace } from '../../../src/model/target.ts';
import { inFiveLanguages } from '../../model/names/five-languages.ts';
import { heldOut, seen } from '../../model/names/index.ts';
import type { NamedFile } from '../../model/names/types.ts';
import { matchOf, measure } from './matched.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

describe.each<[string, readonly NamedFile[]]>([
  ['seen', seen],
  ['held out', heldOut],
])('the corpus of file names, the part %s', (part, files) => {
  it('has no wrong match, and few that are missed', () => {
    const { names, right, wrong, missed, precision, recall } = measure(files);
    process.stdout.write(
      `names ${part}: ${names}, matched rightly ${right}, wrongly ${wrong.length}, missed ${missed.length}; ` +
        `precision ${percent(precision)}, recall ${percent(recall)}\n`,
    );
    expect(wrong).toEqual([]);
    expect(recall).toBeGreaterThan(0.92);
  });
});

/** A name that has a place counts also where a person is asked, and the right place is among those offered. */
function isServed(file: NamedFile): boolean {
  const match = matchOf(file);
  const { expected } = file;
  if (!('match' in expected) && !('ambiguous' in expected)) return match.status !== 'matched';
  const wanted = 'match' in expected ? [expected.match] : expected.ambiguous;
  const keys = wanted.map(({ targetKind, targetId, slot }) => `${targetKind} ${targetId} ${slot}`);
  const found = match.status === 'matched' ? [match.place] : match.status === 'ambiguous' ? match.places : [];
  return found.some((place) => keys.includes(keyOfPlace(place)));
}

it('reads names in five languages without a wrong match, and rightly or with the right question', () => {
  const { names, right, wrong, missed } = measure(inFiveLanguages);
  const unserved = inFiveLanguages.filter((file) => !isServed(file));
  const share = 1 - unserved.length / names;
  process.stdout.write(
    `names in five languages: ${names}, matched rightly ${right}, wrongly ${wrong.length}, missed ${missed.length}; right or asked ${percent(share)}${unserved.map(({ path }) => `; not ${path}`).join('')}\n`,
  );
  expect(names).toBeGreaterThanOrEqual(400);
  expect(wrong).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(0.95);
});
