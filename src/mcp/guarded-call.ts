import { z } from 'zod';
import * as fields from '../catalogue/request.ts';
import type { Warning } from '../mutations/finding.ts';
import type { MutationCall } from '../mutations/mutations.ts';
import {
  type Arguments,
  findOperation,
  type Given,
  type Guarded,
  type OperationName,
} from '../mutations/operations/find-operation.ts';
import type { Operation } from '../mutations/operations/operation.ts';
import type { MutationResult } from '../mutations/result.ts';
import {
  extraArgument,
  guardedArguments,
  integer,
  integerList,
  languageCodeArgument,
  revisionInShort,
  slotName,
  slotOfKind,
  slotOfTarget,
} from './arguments.ts';
import type { Context } from './context.ts';
import { openKindArgument, targetKindArgument } from './kinds.ts';
import { writeCursor } from './pages.ts';
import type { ToolAnnotations } from './surface.ts';
import type { ToolAnswer } from './tool.ts';

/** Whatever the operation, here stands what it made or touched (Touched). */
export const touched = z.unknown().optional().describe('what it made or touched: {kind, id, title}');

/** Every answer about a mutation (MutationResult); spelling it out in each tool's schema would cost more than it tells. */
export const mutationResult = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  id: touched,
  next: z.unknown().optional(),
});

/** Adds to the catalogue and takes nothing away. */
export const adding: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

/** Puts something in the place of something else. Repeating it under its identity changes nothing more. */
export const replacing: ToolAnnotations = { ...adding, destructiveHint: true };

/**
 * What a tool takes from the operation that it makes, beside which it only has words.
 * @param words of the arguments that are not called as usual
 * @param expected what expectedUpdatedAt is, where the arguments decide which revision a call rests on
 */
export function toolOf<const Name extends OperationName, Shape extends z.ZodRawShape>(
  { name, arguments: args, revision }: Operation<Name, z.ZodObject<Shape>>,
  words: Parameters<typeof formsOf<Shape>>[1],
  expected = revisionInShort(revision({})),
) {
  const input = z.strictObject({ ...guardedArguments(expected), ...formsOf(args, words) });
  const readsHostFolders = () => readsFiles(name);
  return { name, toolset: 'curate', input, output: mutationResult, revision, readsHostFolders } as const;
}

/**
 * Makes the change, and answers what became of it.
 * @param warnings what its tool points out of an upload
 */
export async function carryOutChange<Name extends OperationName>(
  name: Name,
  args: Arguments<Name>,
  context: Context,
  warnings: readonly Warning[] = [],
): Promise<ToolAnswer<z.input<typeof mutationResult>>> {
  const { mutations } = await context.account();
  const roots = readsFiles(name) ? await context.roots() : [];
  const call = { ...mutationCall(context), roots, warnings };
  return answerOfMutation(await mutations.perform(name, args, call));
}

/** Every change but a single request sends files. */
function readsFiles(name: OperationName): boolean {
  return findOperation(name)?.run.by !== 'request';
}

/** What a mutation is told of the call that makes it. */
export function mutationCall(context: Context): MutationCall {
  return {
    deadline: context.deadline,
    progress: (done, total, message) => {
      // A host that is gone by now is noticed by the transport.
      context.progress(done, total, message).catch(() => undefined);
    },
  };
}

/** A mutation's result as a tool's answer, paged by its items. */
export function answerOfMutation(result: MutationResult): ToolAnswer<z.input<typeof mutationResult>> {
  return pagedItems(result, { clientMutationId: result.clientMutationId });
}

/** If items are left out, adds the call that shows them; `identity`: the arguments that name the mutation there. */
export function pagedItems<Report extends Omit<Partial<MutationResult>, 'items'>>(
  { nextItems, requests, ...result }: Report & { readonly items?: readonly unknown[] },
  identity: Readonly<Record<string, string>>,
): ToolAnswer<Omit<Report, 'nextItems' | 'requests'>> {
  const last = requests === undefined ? {} : { requests };
  if (nextItems === undefined) return { structured: { ...result, ...last } };
  if (nextItems === null) return { structured: { ...result, nextCursor: null, ...last } };
  const { counts = {}, items = [] } = result;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const left = { section: 'items', total, returned: items.length };
  const cursor = writeCursor('get_mutation_status', identity, nextItems);
  const next = { tool: 'get_mutation_status', arguments: { ...identity, cursor } };
  return { structured: { ...result, omitted: [{ ...left, next }], nextCursor: cursor, ...last } };
}

/** How a model may give a field of a request: as leniently as it can be understood, and what it is called in short. */
interface Form {
  readonly form: z.ZodType;
  readonly words?: string;
  /** Its name tells a model as much: only errors have the words. */
  readonly isEvident?: true;
}

const readByPeople = 'as people will read it';
const editionWords = 'id of an edition, as get_owned shows it of an Asset; null: of none';
const edition = z.union([z.string().min(1).max(200), z.int()]).nullable();

const forms: ReadonlyMap<z.ZodType, Form> = new Map<z.ZodType, Form>([
  [fields.slot, { form: slotName, words: 'of the target: e.g. poster', isEvident: true }],
  [fields.targetKind, { form: targetKindArgument, words: 'what it is for: e.g. movie', isEvident: true }],
  [fields.openKind, { form: openKindArgument }],
  [fields.targetId, { form: integer, words: 'id of the target', isEvident: true }],
  [fields.targetIds, { form: integerList(500) }],
  [fields.setId, { form: integer, words: 'a Set of your own', isEvident: true }],
  [fields.setIds, { form: integerList(1_000) }],
  [fields.groupId, { form: integer }],
  [fields.assetId, { form: z.uuid(), words: 'an Asset of your own', isEvident: true }],
  [fields.assetRevision, { form: z.string().min(1).max(500) }],
  [fields.relatedKind, { form: z.string().min(1).max(100) }],
  [
    fields.relatedId,
    {
      form: z.union([z.string().min(1).max(200), z.int()]),
      words: 'as list_relationships shows it',
      isEvident: true,
    },
  ],
  [
    fields.itemId,
    { form: z.uuid(), words: 'left out: follows from clientMutationId and position', isEvident: true },
  ],
  [fields.position, { form: integer, words: 'left out: its place in the list', isEvident: true }],
  [fields.title, { form: z.string().min(1).max(500), words: readByPeople, isEvident: true }],
  [fields.description, { form: z.string().max(5_000).nullable(), words: readByPeople, isEvident: true }],
  [fields.languageCode, { form: languageCodeArgument, words: 'e.g. en' }],
  [fields.editionId, { form: edition, words: editionWords, isEvident: true }],
  [fields.languageChange, { form: languageCodeArgument.nullable().optional(), words: 'null clears it' }],
  [fields.editionChange, { form: edition.optional(), words: editionWords, isEvident: true }],
  [fields.selectedSourceFrame, { form: integer }],
  [fields.filePath, { form: z.string().min(1).max(4_096) }],
  [fields.uploadFilename, { form: z.string().max(200) }],
  [fields.jsonObject, { form: z.record(z.string(), z.unknown()) }],
  [fields.extra, { form: extraArgument }],
]);

/** Words for an argument: null for none, a form of its own, or the words for what it holds. */
type Word = string | null | z.ZodType | OwnWords;
interface OwnWords {
  readonly about?: string;
  /** What a definition says of it instead, in short. */
  readonly brief?: string;
  readonly of?: Words;
}
type Words = Readonly<Record<string, Word | undefined>>;

type OwnShape<Shape> = Omit<Shape, keyof Guarded>;

type FormOf<Value> = undefined extends Value
  ? z.ZodOptional<z.ZodType<Given<Exclude<Value, undefined>>>>
  : z.ZodType<Given<Value>>;

type FormsOf<Shape> = { [Name in keyof Shape]: FormOf<z.input<Shape[Name]>> };

/**
 * The arguments of an operation, without the guard, in the forms that a tool takes, each with its usual words.
 * @param words what a tool says otherwise
 */
export function formsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  words: { readonly [Name in keyof OwnShape<Shape>]?: Word },
): FormsOf<OwnShape<Shape>> {
  const { clientMutationId: _, expectedUpdatedAt: __, ...own }: z.ZodRawShape = shape;
  // Each form answers what its field takes; a test holds them side by side.
  return shapeOf(own, words) as FormsOf<OwnShape<Shape>>;
}

function shapeOf(shape: z.ZodRawShape, words: Words): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, wordedForm(schema(field), words[name])]),
  );
}

function wordedForm(field: z.ZodType, word: Word | undefined): z.ZodType {
  if (word instanceof z.ZodType) return word;
  if (typeof word === 'string') return formOf(field, {}).describe(word);
  const form = formOf(field, word?.of ?? {});
  if (word?.about !== undefined) {
    const { about, brief } = word;
    return form.meta({ description: about, ...(brief === undefined ? {} : { brief }) });
  }
  const usual = word === null ? undefined : usualWords(field);
  return usual === undefined ? form : form.meta(usual);
}

function formOf(field: z.ZodType, words: Words): z.ZodType {
  const known = forms.get(field);
  if (known !== undefined) return known.form;
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
    return formOf(schema(field.def.innerType), words).optional();
  }
  if (field instanceof z.ZodNullable) return formOf(schema(field.def.innerType), words).nullable();
  if (field instanceof z.ZodPipe) return formOf(schema(field.def.in), words);
  if (field instanceof z.ZodArray) {
    return field.clone({ ...field.def, element: formOf(schema(field.def.element), words) });
  }
  if (field instanceof z.ZodDiscriminatedUnion) return objectForm(anyOf(field), words);
  return field instanceof z.ZodObject ? objectForm(field.shape, words) : field;
}

function objectForm(shape: z.ZodRawShape, words: Words): z.ZodType {
  return z.strictObject(shapeOf(shape, words)).overwrite(slotOfKind).superRefine(slotOfTarget);
}

function usualWords(field: z.ZodType): { description: string; brief?: string } | undefined {
  const known = forms.get(field);
  if (known !== undefined) {
    const { words, isEvident } = known;
    return words === undefined ? undefined : { description: words, ...(isEvident ? { brief: '' } : {}) };
  }
  if (field instanceof z.ZodPipe) return usualWords(schema(field.def.in));
  const wraps =
    field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable;
  return wraps ? usualWords(schema(field.def.innerType)) : undefined;
}

/** The fields of all members, since hosts lose unions. A field that a member lacks may be left out. */
function anyOf({ options, def }: z.ZodDiscriminatedUnion): z.ZodRawShape {
  const shapes = options.map((option) => (option instanceof z.ZodObject ? option.shape : {}));
  return Object.fromEntries(
    namesInOrder(shapes).map((name) => {
      const all = shapes.flatMap((shape): z.ZodType[] => (name in shape ? [schema(shape[name])] : []));
      if (name === def.discriminator) return [name, z.enum(all.flatMap(wordsOfLiteral))];
      const [first = z.never()] = all;
      return [name, all.length < shapes.length ? first.optional() : first];
    }),
  );
}

/** What a later member adds stands before the next field that it shares with an earlier one. */
function namesInOrder(shapes: readonly z.ZodRawShape[]): string[] {
  const names: string[] = [];
  for (const shape of shapes) {
    let at = names.length;
    for (const name of Object.keys(shape).reverse()) {
      const known = names.indexOf(name);
      if (known >= 0) at = known;
      else names.splice(at, 0, name);
    }
  }
  return names;
}

function wordsOfLiteral(literal: z.ZodType): string[] {
  return literal instanceof z.ZodLiteral ? [...literal.values].map(String) : [];
}

/** Zod's types leave open whether what is inside a schema is one of its classes; ours all are. */
function schema(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('An argument is no schema.');
}
