import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { type Issue, invalidArguments } from '../errors.ts';
import { allKinds, isKind, kindNamed, slotsOf } from '../model/kinds.ts';
import { allSlots, slotNamed } from '../model/slots.ts';
import { jsonOf } from '../text.ts';
import { issuesIn, notRight, wordsFor } from './argument-issues.ts';
import type { CallRevisionSource } from './arguments.ts';

type Schema = z.core.$ZodType;
type Path = readonly string[];
type Members = Readonly<Record<string, unknown>>;

/** What reading needs to know of a tool. */
interface Called<Input extends z.ZodObject> {
  readonly name: string;
  readonly input: Input;
  readonly revision: CallRevisionSource | null;
}

interface ReadArguments<Input extends z.ZodObject> {
  readonly parsed: z.output<Input>;
  /** Words that were taken for others, such as `posters` for `poster`. Null: there are none. */
  readonly taken: Readonly<Record<string, string>> | null;
}

/**
 * Reads the arguments of a call: first as they can be meant, then by the tool's schema.
 * @throws ArtworkError `invalid_arguments` that says of each argument what is wrong
 */
export function readArguments<Input extends z.ZodObject>(
  { name, input, revision }: Called<Input>,
  args: unknown,
): ReadArguments<Input> {
  const refuse = (issues: readonly Issue[]) => invalidArguments(`The arguments of ${name} are wrong`, issues);
  const reading: Reading = { taken: new Map(), issues: [] };
  const given = meant(input, args ?? {}, [], reading);
  const excess = excessOf(given);
  if (excess !== null) throw refuse([notRight([], excess)]);
  const parsed = input.safeParse(given, { error: wordsFor, reportInput: true });
  if (!parsed.success) throw refuse(issuesIn(parsed.error));
  const issues = [...revisionIssues(revision, parsed.data), ...reading.issues];
  if (issues.length > 0) throw refuse(issues);
  const { taken } = reading;
  return { parsed: parsed.data, taken: taken.size === 0 ? null : Object.fromEntries(taken) };
}

/** What is noticed while arguments are read. */
interface Reading {
  readonly taken: Map<string, string>;
  /** Slots and kinds that do not go together. */
  readonly issues: Issue[];
}

/**
 * A value as it can be meant. Models fill in every argument that a definition lists, write numbers as digits, and lists,
 * objects and booleans as their JSON. Objects that go to the service as they are stay as they are.
 */
function meant(schema: Schema, value: unknown, path: Path, reading: Reading): unknown {
  const form = formOf(schema);
  const given = typeof value === 'string' ? fromText(schema, form, value, reading) : value;
  if (form instanceof z.ZodString && typeof given === 'number') return String(given);
  if (form instanceof z.ZodArray && Array.isArray(given)) {
    return given.map((one: unknown, at) => meant(form.def.element, one, [...path, String(at)], reading));
  }
  if (!isRecord(given)) return given;
  const shape = shapeFor(form, given);
  if (shape === null) return given;
  const members = Object.entries(given).flatMap(([name, inner]): [string, unknown][] => {
    const argument = Object.hasOwn(shape, name) ? shape[name] : undefined;
    // Of a union a definition lists the names of all its members: what says nothing is left out there too.
    if (argument === undefined) return form instanceof z.ZodUnion && isEmpty(inner) ? [] : [[name, inner]];
    return saysNothing(argument, inner) ? [] : [[name, meant(argument, inner, [...path, name], reading)]];
  });
  return withSlotOfTarget(shape, Object.fromEntries(members), path, reading);
}

/** The schema of what is there, whether it may also be left out, be null, or become something else. */
function formOf(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return formOf(schema.def.innerType);
  return schema instanceof z.ZodPipe ? formOf(schema.def.in) : schema;
}

/** The members that a given object can have; null where the schema is not of objects, or no member of it fits. */
function shapeFor(form: Schema, given: Members): Readonly<Record<string, Schema>> | null {
  if (form instanceof z.ZodObject) return form.shape;
  if (!(form instanceof z.ZodDiscriminatedUnion)) return null;
  const { discriminator } = form.def;
  for (const option of form.options) {
    const word = option instanceof z.ZodObject ? option.shape[discriminator] : undefined;
    if (word !== undefined && takes(word, given[discriminator])) return shapeFor(option, given);
  }
  return null;
}

function takes(schema: Schema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

/** null, "" and [] say nothing in an argument that may be left out, unless the argument itself takes null or []. */
function saysNothing(argument: Schema, value: unknown): boolean {
  if (!isEmpty(value) || !takes(argument, undefined)) return false;
  return value === '' || !takes(argument, value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function fromText(schema: Schema, form: Schema, text: string, { taken }: Reading): unknown {
  const means = meaningOf(form);
  const word = typeof means === 'string' ? wordFor(means, text) : text;
  if (word !== text) taken.set(text, word);
  // Some hosts can't send a null that is needed.
  if (word === 'none' && takes(schema, null)) return null;
  if (form instanceof z.ZodString || form instanceof z.ZodEnum) return word;
  if (form instanceof z.ZodBoolean || form instanceof z.ZodLiteral)
    return text === 'true' || text === 'false' ? text === 'true' : text;
  const takesNumbers = form instanceof z.ZodNumber || (form instanceof z.ZodUnion && takes(form, 1));
  if (takesNumbers) return means !== 'id or name' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  return /^\s*[[{]/.test(text) ? (jsonOf(text) ?? text) : text;
}

function wordFor(means: string, text: string): string {
  if (means.startsWith('slot')) return slotNamed(text) ?? text;
  return means.startsWith('kind') ? (kindNamed(text) ?? text) : text;
}

function meaningOf(argument: Schema | undefined): unknown {
  return argument === undefined ? undefined : z.globalRegistry.get(formOf(argument))?.means;
}

/**
 * Takes a word for the slot that its target has (`background` is the `backdrop` of a show), and notes one that it lacks.
 * The interface document leaves the lists open: of a kind that it doesn't name no slot is known, and each is taken.
 */
function withSlotOfTarget(
  shape: Readonly<Record<string, Schema>>,
  members: Members,
  path: Path,
  { taken, issues }: Reading,
): Members {
  const { slot: given, targetKind: kind, groupId } = members;
  if (typeof given !== 'string' || meaningOf(shape.slot) !== 'slot of its target') return members;
  const isNamed = typeof kind === 'string';
  if (isNamed && groupId === undefined && meaningOf(shape.targetKind) === 'kind of entity' && !isKind(kind)) {
    issues.push(notRight([...path, 'targetKind'], noKind, kind, allKinds));
    return members;
  }
  const ofTarget = isNamed ? slotsOf(kind) : allSlots;
  const slots = groupId === undefined ? ofTarget : (['poster'] as const);
  if (slots === null) return members;
  const slot = slotNamed(given, slots);
  if (slot === null) issues.push(notRight([...path, 'slot'], `${noSlot}${slots.join(', ')}`, given, slots));
  else if (slot !== given) taken.set(given, slot);
  return { ...members, slot: slot ?? given };
}

const noKind = `is not a kind: there are ${allKinds.join(', ')}`;
const noSlot = 'is not a slot of it: it has ';

/** A revision is given, although nothing that exists is changed. */
function revisionIssues(revision: CallRevisionSource | null, given: Members): Issue[] {
  const { expectedUpdatedAt } = given;
  if (typeof expectedUpdatedAt !== 'string' || revision?.(given).of !== 'nothing') return [];
  return [notRight(['expectedUpdatedAt'], 'must be "none": nothing that exists is changed')];
}

/** Far more than any tool takes, and than the service would show to be handed back. */
const deepest = 100;
const longest = 10_000;

/**
 * The limit that a value exceeds, in words; null if it exceeds none. To walk through a value that is nested deeper
 * would exhaust the stack. A longer list would get an error for each entry, which takes half a minute and a gigabyte.
 */
function excessOf(value: unknown, levels = deepest): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `they are nested deeper than ${deepest} levels`;
  const members: unknown[] = Object.values(value);
  if (members.length > longest) return `a list or an object has more than ${longest} entries`;
  for (const member of members) {
    const excess = excessOf(member, levels - 1);
    if (excess !== null) return excess;
  }
  return null;
}
