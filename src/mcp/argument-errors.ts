import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { type ArtworkError, type Issue, invalidArguments, type Next } from '../errors.ts';
import { type CallRevisionSource, revisionCall, revisionWords } from './arguments.ts';
import { type SchemaNode, wholeSchema } from './json-schema.ts';
import { withoutEmptyArguments } from './left-out.ts';
import { nearestWord, respelledWord } from './nearest.ts';

export interface Parsed<Input extends z.ZodObject> {
  readonly name: string;
  readonly input: Input;
  readonly revision: CallRevisionSource | null;
  readonly instead?: ((given: Given) => Next | null) | undefined;
}

/** The arguments of a call. */
interface ReadArguments<Input extends z.ZodObject> {
  /** As they were given, without those that say nothing. */
  readonly given: unknown;
  readonly parsed: z.output<Input>;
}

/**
 * Reads the arguments of a call by its tool's schema.
 * @throws ArtworkError `invalid_arguments` saying of each what was given and what would be right
 */
export function readArguments<Input extends z.ZodObject>(
  tool: Parsed<Input>,
  args: unknown,
): ReadArguments<Input> {
  if (isDeeper(args, deepest)) {
    const message = `nothing may be nested deeper than ${deepest} levels`;
    throw invalidArguments(calledWrongly(tool.name), [{ code: 'not_right', message, path: [] }]);
  }
  const given = withoutEmptyArguments(tool.input, args ?? {});
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) throw refusal(tool, given, parsed.error.issues);
  requireNoRevision(tool, parsed.data);
  return { given, parsed: parsed.data };
}

/** Far deeper than anything that a tool takes, and than what the service would show to be handed back. */
const deepest = 100;

/** What is written down by walking through it would else exhaust the stack, as a defect of ours. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

/** @throws ArtworkError where a revision is given although nothing that exists is changed */
function requireNoRevision(tool: Parsed<z.ZodObject>, given: Given): void {
  const { expectedUpdatedAt } = given;
  if (tool.revision?.(given).of !== 'nothing') return;
  if (typeof expectedUpdatedAt !== 'string' || expectedUpdatedAt === 'none') return;
  const issue = { code: 'not_right', message: '', path: ['expectedUpdatedAt'] };
  const told = [guardWords(issue, tool.revision, given)];
  throw invalidArguments(calledWrongly(tool.name), told, nextOf(tool, given, [issue]) ?? undefined);
}

function calledWrongly(tool: string): string {
  return `${tool} was called with wrong arguments`;
}

function refusal(
  { name, input, revision, instead }: Parsed<z.ZodObject>,
  args: unknown,
  found: readonly z.core.$ZodIssue[],
): ArtworkError {
  const given = isRecord(args) ? args : {};
  const schema = wholeSchema(input, 'input');
  const issues = found.flatMap((issue) => issuesOf(issue, args, schema));
  const guarded = revision === null ? issues : issues.map((issue) => guardWords(issue, revision, given));
  const next =
    instead?.(given) ??
    nextOf({ name, input, revision }, given, issues) ??
    callWith(name, input, put(args, found, schema, revision === null ? meantBy : certainlyMeantBy));
  return invalidArguments(calledWrongly(name), guarded, next ?? undefined);
}

function issuesOf(issue: z.core.$ZodIssue, args: unknown, schema: SchemaNode): Issue[] {
  const at = issue.path.map(String);
  const place = nodeAt(schema, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const names = Object.keys(place?.properties ?? {});
    return issue.keys.map((key, index) => ({
      code: 'unknown',
      message: index < mostGuessed ? unknownName(key, names) : 'is no argument',
      path: [...at, key],
    }));
  }
  const given = valueAt(args, issue.path);
  const { values, give } = told(issue);
  const known = values === undefined ? place : { enum: [...values] };
  const expected = give ?? (known === null ? issue.message : expectedWords(known));
  if (given === undefined) {
    return [{ code: 'missing', message: `is missing: give ${expected}`, path: at }];
  }
  // A check of ours says more than the type does.
  const own = issue.code === 'custom' ? ` (${issue.message})` : '';
  const meant = meantBy(issue, given, place);
  const guess = meant === null ? '' : ` (did you mean ${JSON.stringify(meant)}?)`;
  const message = `can't be ${shown(given)}${guess}${own}: give ${expected}`;
  return [{ code: 'not_right', message, path: at }];
}

/** What a check of ours says beside its message: the values that can be, what is meant, or what to give. */
const ownWords = z.object({
  values: z.array(z.string()).optional(),
  meant: z.string().nullish(),
  /** Whether what is meant can be nothing else, so that a change may be made with it. */
  certain: z.boolean().optional(),
  give: z.string().optional(),
});

function told(issue: z.core.$ZodIssue): z.output<typeof ownWords> {
  const words = issue.code === 'custom' ? ownWords.safeParse(issue.params) : null;
  return words?.data ?? {};
}

/** The value that was most likely meant; null where none is near. */
function meantBy(issue: z.core.$ZodIssue, given: unknown, place: SchemaNode | null): string | null {
  const { values, meant } = told(issue);
  if (meant !== undefined) return meant;
  if (values !== undefined) return values.length === 1 ? (values[0] ?? null) : nearestWord(given, values);
  return place === null ? null : nearestWord(given, valuesOf(place));
}

/** A call that changes something is only given with what can't be meant otherwise; null where there is no such. */
function certainlyMeantBy(issue: z.core.$ZodIssue, given: unknown, place: SchemaNode | null): string | null {
  const { values, meant, certain } = told(issue);
  if (meant !== undefined) return certain === true ? meant : null;
  return respelledWord(given, values ?? (place === null ? [] : valuesOf(place)));
}

/** Names to guess at: no more than that many are told, and of a hundred thousand the guesses would take a minute. */
const mostGuessed = 20;

function unknownName(key: string, names: readonly string[]): string {
  const meant = nearestWord(key, names);
  const guess = meant === null ? '' : ` (did you mean ${meant}?)`;
  const all = names.length === 0 ? 'there are none here' : `there are ${names.join(', ')}`;
  return `is no argument${guess}: ${all}`;
}

/** The two that guard a change are asked for with the call that gets them. */
function guardWords(issue: Issue, revision: CallRevisionSource, given: Given): Issue {
  const [argument, ...inner] = issue.path;
  if (inner.length > 0) return issue;
  const was = issue.code === 'missing' ? 'is missing' : `can't be ${shown(given[argument ?? ''])}`;
  if (argument === 'expectedUpdatedAt') {
    return { ...issue, message: `${was}: give ${revisionWords(revision(given))}` };
  }
  if (argument !== 'clientMutationId') return issue;
  const what =
    revision(given).of === 'first_call'
      ? 'the UUID that the change was begun with; list_mutations shows it'
      : "a UUID of this change's own: new_mutation_ids draws it";
  return { ...issue, message: `${was}: give ${what}` };
}

/** What gets the first of the two guards that is missing; null where both are there. */
function nextOf(
  { name, input, revision }: Parsed<z.ZodObject>,
  given: Given,
  issues: readonly Issue[],
): Next | null {
  if (revision === null) return null;
  const lacks = (argument: string) => issues.some(({ path }) => path.length === 1 && path[0] === argument);
  const rests = revision(given);
  if (lacks('clientMutationId')) {
    if (rests.of === 'first_call') {
      const why = 'It lists the changes that are not settled, with their ids.';
      return { tool: 'list_mutations', arguments: { state: 'open' }, why };
    }
    const also = lacks('expectedUpdatedAt') ? ` expectedUpdatedAt is ${revisionWords(rests)}.` : '';
    const why = `It draws the id of this change: make the call again with it as clientMutationId.${also}`;
    return { tool: 'new_mutation_ids', arguments: { count: 1 }, why };
  }
  if (!lacks('expectedUpdatedAt')) return null;
  if (rests.of !== 'nothing') return revisionCall(rests, given);
  return callWith(name, input, { ...given, expectedUpdatedAt: 'none' });
}

/** The same call with what is right; null where that is not all that is wrong. */
function callWith(name: string, input: z.ZodObject, args: unknown): Next | null {
  if (!isRecord(args) || JSON.stringify(args).length > longestCall) return null;
  if (!input.safeParse(args).success) return null;
  return { tool: name, arguments: args, why: 'It is the same call with what is right put in its place.' };
}

/** The arguments with each name and value that is nearly right put right. */
function put(
  args: unknown,
  found: readonly z.core.$ZodIssue[],
  schema: SchemaNode,
  guess: typeof meantBy,
): unknown {
  const copy: unknown = structuredClone(args);
  for (const issue of found) {
    const place = nodeAt(schema, issue.path);
    if (issue.code === 'unrecognized_keys') {
      const holder = valueAt(copy, issue.path);
      if (!isRecord(holder)) continue;
      for (const key of issue.keys.slice(0, mostGuessed))
        rename(holder, key, nearestWord(key, Object.keys(place?.properties ?? {})));
      continue;
    }
    const holder = valueAt(copy, issue.path.slice(0, -1));
    const name = issue.path.at(-1);
    const meant = guess(issue, valueAt(args, issue.path), place);
    if (isRecord(holder) && typeof name === 'string' && meant !== null) holder[name] = meant;
  }
  return copy;
}

function rename(holder: Record<string, unknown>, from: string, to: string | null): void {
  if (to === null || Object.hasOwn(holder, to)) return;
  holder[to] = holder[from];
  delete holder[from];
}

/** Characters of JSON: a call that is longer is not repeated in an error. */
const longestCall = 4_000;

type Given = Readonly<Record<string, unknown>>;

const examples: Readonly<Record<string, string>> = {
  uuid: 'a UUID such as "0b6c6f0e-6a2f-4c53-9f6e-0f4b7f0f2a11"',
  date: 'a date such as "2026-11-16"',
  'date-time': 'a time such as "2026-11-16T00:00:00Z"',
};

/** What is expected there, in words that follow "give ". */
function expectedWords(node: SchemaNode): string {
  const about = node.description === undefined ? '' : ` (${node.description})`;
  return typeWords(node) + about;
}

function typeWords(node: SchemaNode): string {
  const values = valuesOf(node);
  if (values.length > 0) return `${values.length === 1 ? '' : 'one of '}${values.map(quoted).join(', ')}`;
  if (node.format !== undefined) return examples[node.format] ?? `text in the form ${node.format}`;
  const types = [node.type ?? 'anything'].flat();
  return types.map((type) => wordsOfType(type, node)).join(' or ');
}

function wordsOfType(type: string, node: SchemaNode): string {
  switch (type) {
    case 'string':
      return `text${range(node.minLength === 0 ? undefined : node.minLength, node.maxLength, ' characters')}`;
    case 'integer':
      return `a whole number${range(node.minimum, node.maximum, '')}, such as 25`;
    case 'number':
      return `a number${range(node.minimum, node.maximum, '')}`;
    case 'boolean':
      return 'true or false';
    case 'array':
      return `a list${range(node.minItems, node.maxItems, ' elements')}`;
    case 'object': {
      const names = Object.keys(node.properties ?? {});
      return names.length === 0 ? 'an object' : `an object of ${names.join(', ')}`;
    }
    default:
      return type;
  }
}

function range(least: number | undefined, most: number | undefined, of: string): string {
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most}${of}`;
  if (most !== undefined) return ` of at most ${most}${of}`;
  return least === undefined ? '' : ` of at least ${least}${of}`;
}

function valuesOf(node: SchemaNode): readonly unknown[] {
  return node.enum ?? (node.const === undefined ? [] : [node.const]);
}

const quoted = (value: unknown) => JSON.stringify(value);

const longestShown = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}

function nodeAt(schema: SchemaNode, path: readonly PropertyKey[]): SchemaNode | null {
  let node: SchemaNode | undefined = schema;
  for (const step of path) {
    node = typeof step === 'number' ? node?.items : own(node?.properties, String(step));
  }
  return node ?? null;
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  let value = args;
  for (const step of path)
    value = isRecord(value) || Array.isArray(value) ? own(value, String(step)) : undefined;
  return value;
}

function own<Value>(of: Readonly<Record<string, Value>> | readonly Value[] | undefined, name: string) {
  return of !== undefined && Object.hasOwn(of, name) ? (Reflect.get(of, name) as Value) : undefined;
}
