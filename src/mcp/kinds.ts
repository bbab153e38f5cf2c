import { z } from 'zod';
import { allKinds, allSetKinds, isKind, type Kind, kindMeantBy, kindNamed } from '../model/kinds.ts';
import { nearestWord, respelledWord } from './nearest.ts';

export const entityKind = z.enum(allKinds);
export const setKind = z.enum(allSetKinds);

/** A kind whatever its case, or in the plural; else the word as it is. */
function kindOf(given: unknown): unknown {
  return typeof given === 'string' ? (kindNamed(given) ?? given) : given;
}

/** The kind that another word of people's may mean, or a misspelt one; null for none. */
function kindMeant(given: string): Kind | null {
  return kindMeantBy(given) ?? allKinds.find((kind) => kind === nearestWord(given, allKinds)) ?? null;
}

/** A kind of entity, in any case, in the singular or the plural: so its values stand in words. */
export const namedKind = z
  .preprocess((given, context) => {
    const kind = kindOf(given);
    const meant = typeof kind === 'string' && !isKind(kind) ? kindMeant(kind) : null;
    if (meant === null) return kind;
    context.addIssue({ code: 'custom', message: 'that is no kind', params: { meant } });
    return z.NEVER;
  }, entityKind)
  .meta({ inWords: true });

/**
 * What an upload, a file or an item of a Set is for: a metadata entity (interface document, Resources). A text in the
 * schema, since the list of all kinds would stand in it many times over.
 */
export const targetKindArgument = z.preprocess(
  kindOf,
  z
    .string()
    .min(1)
    .max(100)
    .superRefine((given, context) => refuseOtherKinds(given, [], context)),
);

/** The target of an upload; what a group calls its own target is not shown (interface document, Single-Asset upload). */
export function kindOfUpload(
  { targetKind: given, groupId }: { readonly targetKind?: string | undefined; readonly groupId?: unknown },
  context: z.core.$RefinementCtx,
): void {
  if (given !== undefined && groupId === undefined) refuseOtherKinds(given, ['targetKind'], context);
}

function refuseOtherKinds(given: string, path: readonly string[], context: z.core.$RefinementCtx): void {
  if (isKind(given)) return;
  const certain = kindMeantBy(given) !== null || respelledWord(given, allKinds) !== null;
  const params = { values: entityKind.options, meant: kindMeant(given), certain };
  context.addIssue({ code: 'custom', message: 'that is no kind', path: [...path], params });
}

/** Where the interface document leaves the kinds open: one that it names in any spelling, or whatever is given. */
export const openKindArgument = z.preprocess(kindOf, z.string().min(1).max(100));

/**
 * One of the words of a schema.
 * @param otherwise what leads from another word to the one that it can only mean, and why; null where it does not
 */
export function wordOrMeant<const Word extends string>(
  words: z.ZodEnum<{ [Each in Word]: Each }>,
  otherwise: (given: unknown) => { readonly meant: NoInfer<Word>; readonly why: string } | null,
) {
  return z.preprocess((given, context) => {
    const other = words.safeParse(given).success ? null : otherwise(given);
    if (other === null) return given;
    const params = { meant: other.meant, certain: true };
    context.addIssue({ code: 'custom', message: other.why, params });
    return z.NEVER;
  }, words);
}
