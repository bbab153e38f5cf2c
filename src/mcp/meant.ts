import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import type { Next } from '../errors.ts';
import { namedByText } from '../model/address.ts';
import { jsonOf } from '../text.ts';
import { nodeAt, type SchemaNode, valueAt } from './json-schema.ts';
import { nearestWord, respelledWord } from './nearest.ts';
import { argumentMeant, kindInName } from './other-names.ts';

// What was meant by arguments that can't be used, as far as it can be known.

/** What a check of ours says beside its message: the values that can be, what is meant, or what to give. */
const ownWords = z.object({
  values: z.array(z.string()).optional(),
  meant: z.string().nullish(),
  /** Whether what is meant can be nothing else, so that a change may be made with it. */
  certain: z.boolean().optional(),
  give: z.string().optional(),
});

/** What a check of ours says of the value that it refuses. */
export function told(issue: z.core.$ZodIssue): z.output<typeof ownWords> {
  const words = issue.code === 'custom' ? ownWords.safeParse(issue.params) : null;
  return words?.data ?? {};
}

/** How many names that no argument has are put right: of a hundred thousand the guesses would take a minute. */
export const mostGuessed = 20;

/** The value that was most likely meant; null where none is near. */
export function meantBy(
  issue: z.core.$ZodIssue,
  given: unknown,
  place: SchemaNode | null,
): string | number | boolean | null {
  const { values, meant } = told(issue);
  if (meant !== undefined) return meant;
  if (values !== undefined) return values.length === 1 ? (values[0] ?? null) : nearestWord(given, values);
  if (place === null) return null;
  return nearestWord(given, valuesOf(place)) ?? inOtherForm(given, place);
}

/** The values that a schema lists. */
export function valuesOf(node: SchemaNode): readonly unknown[] {
  return node.enum ?? (node.const === undefined ? [] : [node.const]);
}

/** Of a call that changes something: the value that can be meant alone; null if there is none. */
function certainlyMeantBy(issue: z.core.$ZodIssue, given: unknown, place: SchemaNode | null): unknown {
  const { values, meant, certain } = told(issue);
  if (meant !== undefined) return certain === true ? meant : null;
  const word = respelledWord(given, values ?? (place === null ? [] : valuesOf(place)));
  if (word !== null || place === null || values !== undefined) return word;
  // An address may be of another catalogue, in which the number stands for something else.
  const isAddress = typeof given === 'string' && namedByText(given)?.isAddress === true;
  return isAddress ? null : inOtherForm(given, place);
}

/** The same value in the form that is taken: `"true"`, `#5`, a number for a text. */
function inOtherForm(given: unknown, place: SchemaNode): string | number | boolean | null {
  const types = [place.type ?? []].flat();
  if (typeof given === 'string') {
    const word = given.trim().toLowerCase();
    if (types.includes('boolean') && (word === 'true' || word === 'false')) return word === 'true';
    if (types.includes('integer')) return namedByText(given)?.id ?? null;
  }
  const isText = types.includes('string') && place.format === undefined && valuesOf(place).length === 0;
  return isText && typeof given === 'number' ? String(given) : null;
}

/** A count beyond its limits, put at the limit. */
function withinLimits(given: unknown, { minimum, maximum }: SchemaNode): number | null {
  const number = typeof given === 'string' ? Number(given) : given;
  if (typeof number !== 'number' || minimum === undefined || maximum === undefined) return null;
  return Math.min(maximum, Math.max(minimum, Math.round(number)));
}

/** Ways to read a text that stands in the place of a list, the likeliest first. */
const listReadings = [
  (text: string) => text.split(/\s*,\s*/).filter((part) => part !== ''),
  (text: string) => [text],
  (text: string) => text.split(/[\s,]+/).filter((part) => part !== ''),
] as const;
type ReadList = (typeof listReadings)[number];

/** The list or object that was meant by another value in its place; undefined if none was. */
function asWhole(given: unknown, place: SchemaNode, readList: ReadList): unknown {
  const types = [place.type ?? []].flat();
  const isWanted = (value: unknown) =>
    Array.isArray(value) ? types.includes('array') : isRecord(value) && types.includes('object');
  // Models write lists and objects as their JSON.
  const written = typeof given === 'string' && /^\s*[[{]/.test(given) ? jsonOf(given) : undefined;
  if (isWanted(written) && excessOf(written) === null) return written;
  if (types.includes('array') && !Array.isArray(given)) {
    return typeof given === 'string' ? readList(given) : [given];
  }
  const only = Array.isArray(given) && given.length === 1 && !types.includes('array') ? given[0] : undefined;
  return typeof only === 'object' ? undefined : only;
}

/** Far more than anything that a tool takes, and than what the service would show to be handed back. */
const deepest = 100;
const longest = 10_000;

/**
 * The limit that a value exceeds, as a sentence's part; null if it exceeds none. A walk through a value that is nested
 * deeper would exhaust the stack. A longer list would get an error for each entry, which takes half a minute and a
 * gigabyte.
 */
export function excessOf(value: unknown, levels = deepest): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `nothing may be nested deeper than ${deepest} levels`;
  const members: unknown[] = Object.values(value);
  if (members.length > longest) return `no list and no object may have more than ${longest} entries`;
  for (const member of members) {
    const excess = excessOf(member, levels - 1);
    if (excess !== null) return excess;
  }
  return null;
}

interface Asked {
  readonly name: string;
  readonly input: z.ZodObject;
  /** A call that changes something is only given with what can't be meant otherwise. */
  readonly isChange: boolean;
}

/** The same call with each name and value that is nearly right put right; null where that is not all that is wrong. */
export function callMeant(
  { name, input, isChange }: Asked,
  args: unknown,
  found: readonly z.core.$ZodIssue[],
  schema: SchemaNode,
): Next | null {
  if (!isRecord(args) || JSON.stringify(args).length > longestCall) return null;
  for (const readList of listReadings) {
    let right: unknown = args;
    let issues = found;
    // A value that stood under another name is read only once it has its own.
    for (let turn = 0; turn < mostTurns; turn += 1) {
      right = putRight(right, issues, schema, { isChange, readList });
      const parsed = input.safeParse(right);
      if (parsed.success) return callWith({ name, input }, right);
      issues = parsed.error.issues;
    }
  }
  return null;
}

const mostTurns = 3;

/** The same call with what is right; null where that is not all that is wrong. */
export function callWith({ name, input }: Pick<Asked, 'name' | 'input'>, args: unknown): Next | null {
  if (!isRecord(args) || JSON.stringify(args).length > longestCall) return null;
  if (excessOf(args) !== null || !input.safeParse(args).success) return null;
  return { tool: name, arguments: args, why: 'It is the same call with what is right put in its place.' };
}

/** Characters of JSON: a call that is longer is not repeated in an error. */
const longestCall = 4_000;

interface How {
  readonly isChange: boolean;
  readonly readList: ReadList;
}

/** The arguments with each name and value that is nearly right put right. */
function putRight(args: unknown, found: readonly z.core.$ZodIssue[], schema: SchemaNode, how: How): unknown {
  const copy: unknown = structuredClone(args);
  for (const issue of found) {
    const place = nodeAt(schema, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const holder = valueAt(copy, issue.path);
      if (!isRecord(holder)) continue;
      const names = Object.keys(place?.properties ?? {});
      for (const key of issue.keys.slice(0, mostGuessed)) rename(holder, key, names);
      continue;
    }
    const holder = valueAt(copy, issue.path.slice(0, -1));
    const name = issue.path.at(-1);
    const meant = rightValue(issue, valueAt(args, issue.path), place, how);
    if (meant === undefined || meant === null || name === undefined) continue;
    if (isRecord(holder) && typeof name === 'string') holder[name] = meant;
    if (Array.isArray(holder) && typeof name === 'number') holder[name] = meant;
  }
  return copy;
}

function rightValue(
  issue: z.core.$ZodIssue,
  given: unknown,
  place: SchemaNode | null,
  { isChange, readList }: How,
): unknown {
  if (given === undefined) return undefined;
  const whole = place === null ? undefined : asWhole(given, place, readList);
  if (whole !== undefined) return whole;
  if (isChange) return certainlyMeantBy(issue, given, place);
  const isBeyond = place !== null && (issue.code === 'too_big' || issue.code === 'too_small');
  return meantBy(issue, given, place) ?? (isBeyond ? withinLimits(given, place) : null);
}

/** Gives what stands under another name its own; a name that says of which kind an id is gives the kind too. */
function rename(holder: Record<string, unknown>, from: string, names: readonly string[]): void {
  const named = kindInName(from, names);
  if (named !== null && !Object.hasOwn(holder, named.kindIn) && !Object.hasOwn(holder, named.idIn)) {
    holder[named.kindIn] = named.kind;
    holder[named.idIn] = holder[from];
    delete holder[from];
    return;
  }
  const to = argumentMeant(from, names);
  if (to === null || Object.hasOwn(holder, to)) return;
  holder[to] = holder[from];
  delete holder[from];
}
