import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { type ArtworkError, type Issue, invalidArguments } from '../errors.ts';
import { jsonOf } from '../text.ts';
import type { CallRevisionSource } from './arguments.ts';
import { didYouMean } from './nearest.ts';

/** What is read of a tool to read the arguments of its calls. */
interface Parsed<Input extends z.ZodObject> {
  readonly name: string;
  readonly input: Input;
  readonly revision: CallRevisionSource | null;
}

/** The arguments of a call. */
interface ReadArguments<Input extends z.ZodObject> {
  /** As they were given, without those that say nothing. */
  readonly given: unknown;
  readonly parsed: z.output<Input>;
}

/**
 * Reads the arguments of a call by its tool's schema.
 * @throws ArtworkError `invalid_arguments` saying of each what is wrong
 */
export function readArguments<Input extends z.ZodObject>(
  { name, input, revision }: Parsed<Input>,
  args: unknown,
): ReadArguments<Input> {
  const given = usable(input, args ?? {});
  const excess = excessOf(given);
  if (excess !== null) throw refused(name, [{ code: 'not_right', message: excess, path: [] }]);
  const parsed = input.safeParse(given, { reportInput: true });
  if (!parsed.success) {
    throw refused(
      name,
      parsed.error.issues.flatMap((issue) => issuesOf(issue, input)),
    );
  }
  if (revision !== null) requireNoRevision(name, revision, parsed.data);
  return { given, parsed: parsed.data };
}

function refused(tool: string, issues: readonly Issue[]): ArtworkError {
  return invalidArguments(`${tool} was called with wrong arguments`, issues);
}

/** @throws ArtworkError where a revision is given although nothing that exists is changed */
function requireNoRevision(
  tool: string,
  revision: CallRevisionSource,
  given: Readonly<Record<string, unknown>>,
): void {
  const { expectedUpdatedAt } = given;
  if (revision(given).of !== 'nothing') return;
  if (typeof expectedUpdatedAt !== 'string' || expectedUpdatedAt === 'none') return;
  const message = 'is not right: give "none", since nothing that exists is changed';
  throw refused(tool, [{ code: 'not_right', message, path: ['expectedUpdatedAt'] }]);
}

/**
 * The arguments as they can be meant. Models fill in every argument that a definition lists: null, "" or an empty list in
 * one that may be left out means that it is left out. It stays where the argument is needed, where it says something
 * (interface document: "null is used only for fields that allow clearing"), within lists, and in objects that go to the
 * service as they are. Models also write lists, objects and booleans as their JSON.
 */
function usable(schema: z.ZodType, value: unknown): unknown {
  const form = unwrapped(schema);
  const given = typeof value === 'string' && !(form instanceof z.ZodString) ? fromText(form, value) : value;
  if (form instanceof z.ZodArray && Array.isArray(given)) {
    const element = typeOf(form.def.element);
    return given.map((one: unknown) => usable(element, one));
  }
  if (!(form instanceof z.ZodObject) || !isRecord(given)) return given;
  const shape: z.ZodRawShape = form.shape;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, inner]) => {
      const argument = Object.hasOwn(shape, name) ? typeOf(shape[name]) : null;
      if (argument === null) return [[name, inner]];
      return saysNothing(argument, inner) ? [] : [[name, usable(argument, inner)]];
    }),
  );
}

function fromText(form: z.ZodType, text: string): unknown {
  if (form instanceof z.ZodBoolean || form instanceof z.ZodLiteral) {
    return text === 'true' || text === 'false' ? text === 'true' : text;
  }
  const holds = form instanceof z.ZodArray ? Array.isArray : form instanceof z.ZodObject ? isRecord : null;
  if (holds === null || !/^\s*[[{]/.test(text)) return text;
  const read = jsonOf(text);
  return holds(read) ? read : text;
}

function saysNothing(argument: z.ZodType, value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (value !== null && value !== '' && !isEmptyList) return false;
  if (!argument.safeParse(undefined).success) return false;
  return value === '' || !argument.safeParse(value).success;
}

/** The schema of what is there, whether it may also be left out, be null, or be given in other words. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return unwrapped(typeOf(schema.def.innerType));
  }
  if (!(schema instanceof z.ZodPipe)) return schema;
  const { in: before, out } = schema.def;
  return unwrapped(typeOf(before instanceof z.ZodTransform ? out : before));
}

/** Zod's types leave open whether what is inside a schema is one of its classes; ours all are. */
function typeOf(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('An argument is no schema.');
}

/** Far more than anything that a tool takes, and than what the service would show to be handed back. */
const deepest = 100;
const longest = 10_000;

/**
 * The limit that a value exceeds, as a sentence's part; null if it exceeds none. A walk through a value that is nested
 * deeper would exhaust the stack. A longer list would get an error for each entry, which takes half a minute and a
 * gigabyte.
 */
function excessOf(value: unknown, levels = deepest): string | null {
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

/** As many names that no argument has are looked at: of a hundred thousand the guesses would take a minute. */
const mostGuessed = 20;

const ownWords = z.object({ values: z.array(z.string()) });

function issuesOf(issue: z.core.$ZodIssue, input: z.ZodType): Issue[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const holder = schemaAt(input, issue.path);
    const names = holder instanceof z.ZodObject ? Object.keys(holder.shape) : [];
    return issue.keys.map((key, index) => {
      const guess = index < mostGuessed ? didYouMean(key, names) : '';
      return { code: 'unknown', message: `is no argument${guess}`, path: [...path, key] };
    });
  }
  if (issue.input === undefined) return [{ code: 'missing', message: 'is missing', path }];
  const values =
    issue.code === 'invalid_value'
      ? issue.values
      : issue.code === 'custom'
        ? (ownWords.safeParse(issue.params).data?.values ?? [])
        : [];
  const message = `is not right: ${issue.message}${didYouMean(issue.input, values)}`;
  return [{ code: 'not_right', message, path }];
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | null {
  const form = unwrapped(schema);
  const [step, ...rest] = path;
  if (step === undefined) return form;
  if (form instanceof z.ZodArray) return schemaAt(typeOf(form.def.element), rest);
  const inner: unknown = form instanceof z.ZodObject ? form.shape[String(step)] : undefined;
  return inner === undefined ? null : schemaAt(typeOf(inner), rest);
}
