import { describe, expect, it } from 'vitest';
import { heldOut, seen } from '../../model/names/index.ts';
import type { NamedFile } from '../../model/names/types.ts';
import { measure } from './matched.ts';

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
    expect(recall).toBeGreaterThan(0.85);
  });
});
