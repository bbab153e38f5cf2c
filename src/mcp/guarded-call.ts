import { z } from 'zod';
import * as fields from '../catalogue/request.ts';
import type { MutationResult } from '../mutations/answer/result.ts';
import type { Warning } from '../mutations/change.ts';
import type { MutationCall } from '../mutations/mutations.ts';
import { findOperation, type Guarded, type OperationName } from '../mutations/operations/index.ts';
import type { Operation } from '../mutations/operations/operation.ts';
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

/** Every answer about a change (MutationResult); spelling it out in each tool's schema would cost more than it tells. */
export const mutationResult = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  says: z.string(),
  id: z.unknown().optional().describe('what it made or touched: {kind, id, title}'),
  next: z.unknown().optional(),
});
type Answer = ToolAnswer<z.input<typeof mutationResult>>;

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
 * @param words of arguments, by their names (`items.slot` within a list), where the usual ones don't say enough
 * @param expected what expectedUpdatedAt is, where the arguments decide which revision a call rests on
 */
export function toolOf<const Name extends OperationName, Shape extends z.ZodRawShape>(
  { name, arguments: args, revision, sends }: Operation<Name, z.ZodObject<Shape>>,
  words: Words,
  expected = revisionInShort(revision({})),
) {
  const input = z.strictObject({ ...guardedArguments(expected), ...formsOf(args, words) });
  const readsHostFolders = () => sends !== 'json';
  return { name, toolset: 'curate', input, output: mutationResult, revision, readsHostFolders } as const;
}

/** Makes the change, and answers what became of it. */
export async function carryOutChange(
  name: OperationName,
  args: Guarded & Readonly<Record<string, unknown>>,
  context: Context,
  warnings: readonly Warning[] = [],
): Promise<Answer> {
  const { mutations } = await context.account();
  const roots = findOperation(name)?.sends === 'json' ? [] : await context.roots();
  return answerOfMutation(await mutations.perform(name, args, { ...mutationCall(context), roots, warnings }));
}

/** What a change is told of the call that makes it. */
export function mutationCall(context: Context): MutationCall {
  return {
    deadline: context.deadline,
    progress: (done, total, message) => {
      // A host that is gone by now is noticed by the transport.
      context.progress(done, total, message).catch(() => undefined);
    },
  };
}

/** The result of a change as a tool's answer, paged by its items. */
export function answerOfMutation(
  result: MutationResult,
  identity: Readonly<Record<string, string | boolean>> = { clientMutationId: result.clientMutationId },
): Answer {
  return { structured: { ...paged(result, identity), clientMutationId: result.clientMutationId } };
}

/**
 * If items are left out, the call that shows them.
 * @param identity the arguments of get_mutation_status that name the change
 */
export function paged<
  Report extends Pick<MutationResult, 'outcome' | 'says' | 'items' | 'nextItems' | 'requests'>,
>({ nextItems, requests, ...result }: Report, identity: Readonly<Record<string, string | boolean>>) {
  const last = requests === undefined ? {} : { requests };
  if (nextItems === undefined) return { ...result, ...last };
  if (nextItems === null) return { ...result, nextCursor: null, ...last };
  const cursor = writeCursor('get_mutation_status', identity, { from: nextItems });
  return { ...result, nextCursor: cursor, ...last };
}

/** With words that only the reference has, since its name tells a model as much. */
function evident(form: z.ZodType, description: string): z.ZodType {
  return form.meta({ description, brief: '' });
}

const edition = z.union([z.string().min(1).max(200), z.int()]).nullable();

/** How a tool takes a field of a request: as leniently as it can be understood. What is not named here is taken as it is. */
const forms: ReadonlyMap<z.ZodType, z.ZodType> = new Map<z.ZodType, z.ZodType>([
  [fields.slot, evident(slotName, 'of the target: e.g. poster')],
  [fields.targetKind, evident(targetKindArgument, 'what it is for: e.g. movie')],
  [fields.openKind, openKindArgument],
  [fields.targetId, evident(integer, 'id of the target')],
  [fields.targetIds, integerList(500)],
  [fields.setId, evident(integer, 'a Set of your own')],
  [fields.setIds, integerList(1_000)],
  [fields.groupId, evident(integer, 'a group of your own')],
  [fields.assetId, evident(z.uuid(), 'an Asset of your own')],
  [fields.assetRevision, z.string().min(1).max(500)],
  [fields.relatedKind, z.string().min(1).max(100)],
  [fields.relatedId, z.union([z.string().min(1).max(200), z.int()])],
  [fields.itemId, evident(z.uuid(), 'left out: follows from clientMutationId and position')],
  [fields.position, evident(integer, 'left out: its place in the list')],
  [fields.title, evident(z.string().min(1).max(500), 'as people will read it')],
  [fields.description, evident(z.string().max(5_000).nullable(), 'as people will read it; null: none')],
  [fields.languageCode, languageCodeArgument.describe('e.g. en')],
  [fields.editionId, evident(edition, 'id of an edition, as get_owned shows it; null: of none')],
  [fields.languageChange, languageCodeArgument.nullable().optional().describe('null clears it')],
  [
    fields.editionChange,
    evident(edition.optional(), 'id of an edition, as get_owned shows it; null: of none'),
  ],
  [
    fields.selectedSourceFrame,
    evident(integer, 'of an animated picture: the frame that stands for it, from 0'),
  ],
  [fields.filePath, z.string().min(1).max(4_096)],
  [fields.uploadFilename, evident(z.string().max(200), 'to announce instead of its own name')],
  [fields.jsonObject, z.record(z.string(), z.unknown())],
  [fields.extra, extraArgument],
]);

type Words = Readonly<Record<string, string>>;

type FormsOf<Shape extends z.ZodRawShape> = {
  [Name in Exclude<keyof Shape, keyof Guarded>]: undefined extends z.input<Shape[Name]>
    ? z.ZodOptional<z.ZodType<Exclude<z.input<Shape[Name]>, undefined>>>
    : z.ZodType<z.input<Shape[Name]>>;
};

/** The arguments of an operation, without the guard's, in the forms that a tool takes. */
export function formsOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  words: Words,
): FormsOf<Shape> {
  const { clientMutationId: _, expectedUpdatedAt: __, ...own }: z.ZodRawShape = shape;
  // Each form takes at least what its field takes, and the operation checks what it gives; a test holds them side by side.
  return shapeOf(own, words, '') as FormsOf<Shape>;
}

function shapeOf(shape: z.ZodRawShape, words: Words, within: string): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(shape).map(([name, field]) => {
      const form = formOf(schema(field), words, within === '' ? `${name}.` : within);
      const said = words[within + name];
      return [name, said === undefined ? form : form.meta({ description: said, brief: said })];
    }),
  );
}

function formOf(field: z.ZodType, words: Words, within: string): z.ZodType {
  const known = forms.get(field);
  if (known !== undefined) return known;
  const inside = (inner: unknown) => formOf(schema(inner), words, within);
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return inside(field.def.innerType).optional();
  if (field instanceof z.ZodNullable) return inside(field.def.innerType).nullable();
  if (field instanceof z.ZodPipe) return inside(field.def.in);
  if (field instanceof z.ZodArray) return field.clone({ ...field.def, element: inside(field.def.element) });
  const shape =
    field instanceof z.ZodDiscriminatedUnion
      ? anyOf(field)
      : field instanceof z.ZodObject
        ? field.shape
        : null;
  if (shape === null) return field;
  return z
    .strictObject(shapeOf(shape, words, within))
    .overwrite(slotOfKind)
    .superRefine(slotOfTarget);
}

/** The fields of all members, since hosts lose unions. A field that a member lacks may be left out. */
function anyOf({ options, def }: z.ZodDiscriminatedUnion): z.ZodRawShape {
  const shapes = options.map((option) => (option instanceof z.ZodObject ? option.shape : {}));
  const names = new Set(shapes.flatMap((shape) => Object.keys(shape)));
  return Object.fromEntries(
    [...names].map((name) => {
      const all = shapes.flatMap((shape): z.ZodType[] => (name in shape ? [schema(shape[name])] : []));
      const [first = z.never()] = all;
      if (name !== def.discriminator) return [name, all.length < shapes.length ? first.optional() : first];
      const values = all.flatMap((one) => (one instanceof z.ZodLiteral ? [...one.values].map(String) : []));
      return [name, z.enum(values)];
    }),
  );
}

/** Zod's types leave open whether what is inside a schema is one of its classes; ours all are. */
function schema(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('An argument is no schema.');
}
