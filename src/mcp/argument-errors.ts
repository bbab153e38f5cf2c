import type { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { type ArtworkError, type Issue, invalidArguments, type Next } from '../errors.ts';
import { type CallRevisionSource, revisionCall, revisionWords } from './arguments.ts';
import { nodeAt, type SchemaNode, valueAt, wholeSchema } from './json-schema.ts';
import { withoutEmptyArguments } from './left-out.ts';
import { callMeant, callWith, excessOf, meantBy, mostGuessed, told, valuesOf } from './meant.ts';
import { argumentMeant } from './other-names.ts';

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
  const message = excessOf(args);
  if (message !== null) {
    throw invalidArguments(calledWrongly(tool.name), [{ code: 'not_right', message, path: [] }]);
  }
  const given = withoutEmptyArguments(tool.input, args ?? {});
  const parsed = tool.input.safeParse(given);
  if (!parsed.success) throw refusal(tool, given, parsed.error.issues);
  requireNoRevision(tool, parsed.data);
  return { given, parsed: parsed.data };
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
    callMeant({ name, input, isChange: revision !== null }, args, found, schema);
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

function unknownName(key: string, names: readonly string[]): string {
  const meant = argumentMeant(key, names);
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
  return callWith({ name, input }, { ...given, expectedUpdatedAt: 'none' });
}

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

const quoted = (value: unknown) => JSON.stringify(value);

const longestShown = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}
