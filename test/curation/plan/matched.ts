import { type FolderWish, type Match, readNames, settleMatches } from '../../../src/curation/plan/match.ts';
import type { Shape } from '../../../src/curation/plan/verdict.ts';
import type { ReadWork } from '../../../src/curation/read-work.ts';
import { keyOfPlace } from '../../../src/model/target.ts';
import type { Expectation, NamedFile } from '../../model/names/types.ts';
import { targetsOf } from './targets-of.ts';

/** What the matcher makes of the files of one folder. */
export function matchFiles(
  files: readonly { readonly path: string; readonly shape: Shape | null }[],
  read: ReadWork,
  wish: FolderWish,
): Match[] {
  const paths = files.map(({ path }) => path);
  return settleMatches(
    paths,
    readNames(paths, read, wish),
    files.map(({ shape }) => shape),
    wish,
  );
}

/** What the matcher makes of a name of the corpus, beside the other files of its folder. */
export function matchOf(
  { context, path, beside }: NamedFile,
  folder: FolderWish = { slot: null, name: null },
): Match {
  const files = [path, ...beside].map((each) => ({ path: each, shape: null }));
  const [match] = matchFiles(files, targetsOf(context), folder);
  if (match === undefined) throw new Error(`There is no answer for ${path}.`);
  return match;
}

export type Grade = 'right' | 'wrong' | 'missed' | 'rightly left';

/** A match anywhere but at the expected place is wrong; what should be matched and is not, is missed. */
export function gradeOf(match: Match, expected: Expectation): Grade {
  if (match.status !== 'matched') return 'match' in expected ? 'missed' : 'rightly left';
  if (!('match' in expected)) return 'wrong';
  const { targetKind, targetId, slot } = expected.match;
  const same = keyOfPlace(match.place) === keyOfPlace({ target: { kind: targetKind, id: targetId }, slot });
  return same ? 'right' : 'wrong';
}

export interface Figures {
  readonly names: number;
  readonly right: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  /** Of what was matched, the share that is right. */
  readonly precision: number;
  /** Of what should be matched, the share that is. */
  readonly recall: number;
}

export function measure(files: readonly NamedFile[]): Figures {
  const graded = files.map((file) => {
    const match = matchOf(file);
    const label = `${file.naming}: ${file.context.title}: ${file.path}: ${JSON.stringify(match)}`;
    return { label, grade: gradeOf(match, file.expected) };
  });
  const of = (grade: Grade) => graded.filter((each) => each.grade === grade).map(({ label }) => label);
  const [right, wrong, missed] = [of('right').length, of('wrong'), of('missed')];
  const precision = right / (right + wrong.length);
  return { names: files.length, right, wrong, missed, precision, recall: right / (right + missed.length) };
}
