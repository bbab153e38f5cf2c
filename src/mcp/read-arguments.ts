import { z } from 'zod';
import { isRecord } from '../catalogue/records/members.ts';
import { type Issue, invalidArguments } from '../errors.ts';
import { allKinds, isKind, kindNamed, slotsOf } from '../model/kinds.ts';
import { allSlots, slotNamed } from '../model/slots.ts';
import { jsonOf } from '../text.ts';
import { issuesOf, notRight } from './argument-issues.ts';
import type { CallRevisionSource } from './arguments.ts';
import { elementOf, formOf, optionFor, schemaOf } from './forms.ts';

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
  const reading: Reading = { taken: new Map(), places: [] };
  const given = meant(input, args ?? {}, [], reading);
  const excess = excessOf(given);
  if (excess !== null) throw refuse([notRight([], excess)]);
  const parsed = input.safeParse(given, { reportInput: true });
  if (!parsed.success) throw refuse(parsed.error.issues.flatMap((issue) => issuesOf(issue, input, given)));
  const issues = [...revisionIssues(revision, parsed.data), ...reading.places.flatMap(placeIssues)];
  if (issues.length > 0) throw refuse(issues);
  const { taken } = reading;
  return { parsed: parsed.data, taken: taken.size === 0 ? null : Object.fromEntries(taken) };
}

type Path = readonly string[];

/** What is noticed while arguments are read. */
interface Reading {
  readonly taken: Map<string, string>;
  /** They are checked once all is read. */
  readonly places: Place[];
}

/** A slot that an object names, of its target. */
interface Place {
  readonly slot: string;
  readonly kind: string | null;
  readonly ofGroup: boolean;
  /** Its kind has to be one of the interface document. */
  readonly isOfEntity: boolean;
  readonly path: Path;
}

/**
 * A value as it can be meant. Models fill in every argument that a definition lists, write numbers as digits, and lists,
 * objects and booleans as their JSON. Objects that go to the service as they are stay as they are.
 */
function meant(schema: z.ZodType, value: unknown, path: Path, reading: Reading): unknown {
  const form = formOf(schema);
  const given = typeof value === 'string' ? fromText(schema, form, value, reading) : value;
  if (form instanceof z.ZodString && typeof given === 'number') return String(given);
  if (form instanceof z.ZodArray && Array.isArray(given)) {
    return given.map((one: unknown, at) => meant(elementOf(form), one, [...path, String(at)], reading));
  }
  const option = isRecord(given) ? optionFor(form, given) : null;
  if (option === null || !isRecord(given)) return given;
  const members = Object.entries(given).flatMap(([name, inner]): [string, unknown][] => {
    const known = Object.hasOwn(option.shape, name);
    // Of a union's other members a definition lists all names: what says nothing is left out there too.
    if (!known) return option.others.has(name) && isEmpty(inner) ? [] : [[name, inner]];
    const argument = schemaOf(option.shape[name]);
    return saysNothing(argument, inner) ? [] : [[name, meant(argument, inner, [...path, name], reading)]];
  });
  return noticed(option.shape, Object.fromEntries(members), path, reading);
}

/** null, "" and [] say nothing in an argument that may be left out, unless the argument itself takes null or []. */
function saysNothing(argument: z.ZodType, value: unknown): boolean {
  if (!isEmpty(value) || !argument.safeParse(undefined).success) return false;
  return value === '' || !argument.safeParse(value).success;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function fromText(schema: z.ZodType, form: z.ZodType, text: string, { taken }: Reading): unknown {
  const means = meaningOf(form);
  const word = typeof means === 'string' ? wordFor(means, text) : text;
  if (word !== text) taken.set(text, word);
  if (form instanceof z.ZodString || form instanceof z.ZodEnum) {
    // Some hosts can't send a null that is needed.
    return word === 'none' && schema.safeParse(null).success ? null : word;
  }
  if (form instanceof z.ZodNumber) return fromDigits(text);
  if (form instanceof z.ZodBoolean || form instanceof z.ZodLiteral)
    return text === 'true' || text === 'false' ? text === 'true' : text;
  if (form instanceof z.ZodUnion && !(form instanceof z.ZodDiscriminatedUnion)) {
    if (text === 'none' && schema.safeParse(null).success) return null;
    const takesNumbers = form.options.some((option) => formOf(schemaOf(option)) instanceof z.ZodNumber);
    return takesNumbers && means !== 'id or name' ? fromDigits(text) : text;
  }
  return /^\s*[[{]/.test(text) ? (jsonOf(text) ?? text) : text;
}

function fromDigits(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

function wordFor(means: string, text: string): string {
  if (means.startsWith('slot')) return slotNamed(text) ?? text;
  return means.startsWith('kind') ? (kindNamed(text) ?? text) : text;
}

/** Takes a word for the slot that its target has (`background` is the `backdrop` of a show), and notes the place. */
function noticed(
  shape: z.ZodRawShape,
  members: Readonly<Record<string, unknown>>,
  path: Path,
  { taken, places }: Reading,
): Readonly<Record<string, unknown>> {
  const { slot: given, targetKind, groupId } = members;
  if (typeof given !== 'string' || meaningOf(shape.slot) !== 'slot of its target') return members;
  const kind = typeof targetKind === 'string' ? targetKind : null;
  const slots = kind === null ? null : slotsOf(kind);
  const slot = slots === null ? given : (slotNamed(given, slots) ?? given);
  if (slot !== given) taken.set(given, slot);
  const isOfEntity = groupId === undefined && meaningOf(shape.targetKind) === 'kind of entity';
  places.push({ slot, kind, ofGroup: groupId !== undefined, isOfEntity, path });
  return { ...members, slot };
}

function meaningOf(argument: unknown): unknown {
  return argument === undefined ? undefined : formOf(schemaOf(argument)).meta()?.means;
}

/** The interface document leaves the lists open: of a kind that it doesn't name no slot is known, and each is taken. */
function placeIssues({ slot, kind, ofGroup, isOfEntity, path }: Place): Issue[] {
  if (isOfEntity && kind !== null && !isKind(kind)) {
    const words = `is not a kind: there are ${allKinds.join(', ')}`;
    return [notRight([...path, 'targetKind'], words, kind, allKinds)];
  }
  const slots = ofGroup ? ['poster'] : kind === null ? allSlots : slotsOf(kind);
  if (slots === null || slots.some((one) => one === slot)) return [];
  return [notRight([...path, 'slot'], `is not a slot of it: it has ${slots.join(', ')}`, slot, slots)];
}

/** A revision is given, although nothing that exists is changed. */
function revisionIssues(
  revision: CallRevisionSource | null,
  given: Readonly<Record<string, unknown>>,
): Issue[] {
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
