import { z } from 'zod';
import { allKinds, allSetKinds, isKind, kindNamed } from '../model/kinds.ts';

export const entityKind = z.enum(allKinds);
export const setKind = z.enum(allSetKinds);

/** A kind whatever its case, or in the plural; else the word as it is. */
function kindOf(given: unknown): unknown {
  return typeof given === 'string' ? (kindNamed(given) ?? given) : given;
}

/** A kind of entity, in any case, in the singular or the plural: so its values stand in words. */
export const namedKind = z.preprocess(kindOf, entityKind).meta({ inWords: true });

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
  const message = `that is no kind: there are ${allKinds.join(', ')}`;
  context.addIssue({
    code: 'custom',
    message,
    path: [...path],
    input: given,
    params: { values: [...allKinds] },
  });
}

/** Where the interface document leaves the kinds open: one that it names in any spelling, or whatever is given. */
export const openKindArgument = z.preprocess(kindOf, z.string().min(1).max(100));
