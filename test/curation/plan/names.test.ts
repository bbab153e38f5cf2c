import { describe, expect, it } from 'vitest';
import { seen } from '../names/seen/index.ts';
import type { Expectation, NamedFile } from '../names/types.ts';
import { gradeOf, matchOf } from './matched.ts';

const byNaming = new Map<string, NamedFile[]>();
for (const file of seen) byNaming.set(file.naming, [...(byNaming.get(file.naming) ?? []), file]);

const statusOf = (expected: Expectation) =>
  'match' in expected
    ? 'matched'
    : 'ambiguous' in expected
      ? 'ambiguous'
      : 'unmatched' in expected
        ? 'unmatched'
        : 'ignored';

describe('the folder matcher', () => {
  it.each([...byNaming])('reads names of the naming %s', (_, files) => {
    const failures = files.filter((file) => {
      const grade = gradeOf(matchOf(file), file.expected);
      return grade === 'wrong' || grade === 'missed';
    });
    expect(failures.map(({ path }) => path)).toEqual([]);
  });

  it('leaves out junk, and nothing else', () => {
    const differs = seen.filter(
      (file) => (matchOf(file).status === 'ignored') !== (statusOf(file.expected) === 'ignored'),
    );
    expect(differs.map(({ path }) => path)).toEqual([]);
  });

  it('asks about places that come to mind where it is not sure', () => {
    const asked = seen.filter((file) => matchOf(file).status === 'ambiguous');
    const empty = asked.filter((file) => {
      const match = matchOf(file);
      return match.status === 'ambiguous' && match.places.length === 0;
    });
    expect(asked.length).toBeGreaterThan(0);
    expect(empty.map(({ path }) => path)).toEqual([]);
  });
});
