import { expect, it } from 'vitest';
import { inFiveLanguages } from '../../model/names/five-languages.ts';
import { heldOut, seen } from '../../model/names/index.ts';
import type { NamedFile } from '../../model/names/types.ts';
import { entryFor, type Grade, gradeOf, placesOf } from './matched.ts';

it.each<[string, readonly NamedFile[], least: number]>([
  ['seen', seen, 600],
  ['held out', heldOut, 300],
  ['in five languages', inFiveLanguages, 400],
])('takes no name of the corpus for what it is not: %s', (part, files, least) => {
  const graded = files.map((file) => {
    const entry = entryFor(file);
    const came = `${file.context.title}: ${file.path}: ${entry?.status} ${placesOf(entry).join(', ')}`;
    return { came, grade: gradeOf(entry, file) };
  });
  const of = (grade: Grade) => graded.filter((each) => each.grade === grade).map(({ came }) => came);
  const [right, asked] = [of('right').length, of('asked').length];
  const served = (right + asked) / files.length;
  process.stdout.write(
    `names ${part}: ${files.length}, right ${right}, asked ${asked}, otherwise ${of('otherwise').length}, ` +
      `wrong ${of('wrong').length}: ${(100 * served).toFixed(1)} % right or asked\n`,
  );
  if (process.env.SHOW !== undefined)
    for (const came of of('otherwise')) process.stdout.write(`otherwise: ${came}\n`);
  expect(files.length).toBeGreaterThanOrEqual(least);
  expect(of('wrong')).toEqual([]);
  expect(served).toBeGreaterThanOrEqual(0.95);
});
