import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { didYouMean } from './nearest.ts';

// What is wrong with an argument, in plain words that go on behind its name: `must be a whole number`.

/** @param words what is wrong · @param values one of which may have been meant */
export function notRight(
  path: readonly string[],
  words: string,
  given?: unknown,
  values: readonly unknown[] = [],
): Issue {
  return { code: 'not_right', message: `${words}${didYouMean(given, values)}`, path: [...path] };
}

const missing = 'is missing';

/** The words of each issue that zod finds. A schema's own words come before these. */
export function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return missing;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const names = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      return `is not an argument${didYouMean(issue.keys[0], names)}`;
    }
    case 'invalid_union': {
      const { inst, input } = issue;
      if (!(inst instanceof z.ZodDiscriminatedUnion)) return 'must be a number or a text';
      const given: unknown = Object(input)[inst.def.discriminator];
      return given === undefined
        ? missing
        : oneOf([...(inst._zod.propValues[inst.def.discriminator] ?? [])], given);
    }
    case 'invalid_type':
      return `must be ${typeWords.get(issue.expected) ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values, issue.input);
    case 'too_small':
      return `must ${limit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${limit(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_format':
      return issue.format === 'uuid' || issue.format === 'guid' ? 'must be a UUID' : undefined;
    default:
      return undefined;
  }
}

/** One issue for each argument that is missing, wrong or unknown. */
export function issuesIn({ issues }: z.ZodError): Issue[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    const { message } = issue;
    if (issue.code !== 'unrecognized_keys')
      return [{ code: message === missing ? 'missing' : 'not_right', message, path }];
    // Only the first gets a guess. For a hundred thousand of them it would take a minute.
    return issue.keys.map((key, at) => ({
      ...{ code: 'unknown', path: [...path, key], message: at === 0 ? message : 'is not an argument' },
    }));
  });
}

function oneOf(values: readonly unknown[], given: unknown): string {
  const words = values.map(String).join(', ');
  return values.length === 1 ? `must be ${words}` : `must be one of ${words}${didYouMean(given, values)}`;
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

function limit(origin: string, how: string, size: number | bigint): string {
  if (origin === 'string') return `have ${how} ${size} characters`;
  return origin === 'array' ? `have ${how} ${size} entries` : `be ${how} ${size}`;
}
