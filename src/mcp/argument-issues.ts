import { z } from 'zod';
import type { Issue } from '../errors.ts';
import { formAt, optionFor, schemaOf } from './forms.ts';
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

/** So many names that no argument has get a guess. For a hundred thousand of them it would take a minute. */
const mostGuessed = 20;

/** The faults that one issue of zod stands for. @param input the schema of all arguments */
export function issuesOf(issue: z.core.$ZodIssue, input: z.ZodType, all: unknown): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const form = formAt(input, issue.path, all);
    const shape = form === null ? null : optionFor(form, Object(issue.input));
    const names = Object.keys(shape?.shape ?? {});
    return issue.keys.map((key, index) => {
      const guess = index < mostGuessed ? didYouMean(key, names) : '';
      const words = shape?.others.has(key) === true ? 'does not belong here' : `is not an argument${guess}`;
      return { code: 'unknown', message: words, path: [...path, key] };
    });
  }
  if (issue.input === undefined) return [{ code: 'missing', message: 'is missing', path }];
  if (issue.code === 'invalid_union') {
    const union = formAt(input, issue.path.slice(0, -1), all);
    if (!(union instanceof z.ZodDiscriminatedUnion)) return [notRight(path, 'has a form that is not taken')];
    const values = wordsOf(union);
    const given: unknown = Object(issue.input)[union.def.discriminator];
    return given === undefined
      ? [{ code: 'missing', message: 'is missing', path }]
      : [notRight(path, oneOf(values), given, values)];
  }
  const values =
    issue.code === 'invalid_value'
      ? issue.values
      : issue.code === 'custom'
        ? (ownValues.safeParse(issue.params).data?.values ?? [])
        : [];
  return [notRight(path, wordsFor(issue), issue.input, values)];
}

const ownValues = z.object({ values: z.array(z.string()) });

/** What the word may be that says which member of a union is meant. */
function wordsOf({ options, def }: z.ZodDiscriminatedUnion): unknown[] {
  return options.flatMap((option) => {
    const word = option instanceof z.ZodObject ? schemaOf(option.shape[def.discriminator]) : null;
    return word instanceof z.ZodLiteral ? [...word.values] : [];
  });
}

function oneOf(values: readonly unknown[]): string {
  return `must be one of ${values.map(String).join(', ')}`;
}

function wordsFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords.get(issue.expected) ?? issue.expected}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : oneOf(issue.values);
    case 'too_small':
      return `must ${sizeWords(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return issue.message.startsWith('Too big')
        ? `must ${sizeWords(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`
        : issue.message;
    case 'invalid_format':
      return issue.format === 'uuid' || issue.format === 'guid' ? 'must be a UUID' : issue.message;
    default:
      return issue.message;
  }
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

function sizeWords(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}
