import { z } from 'zod';
import { allKinds, allSetKinds, isKind } from '../model/kinds.ts';
import { didYouMean } from './nearest.ts';

export const entityKind = z.enum(allKinds);
export const setKind = z.enum(allSetKinds);

/** A kind of entity. Calls may spell it in any case and number, so a host is told its values in words. */
export const namedKind = entityKind.meta({ means: 'kind', inWords: true });

/** A kind where the interface document leaves open which there are: one of its own in any spelling, or any word. */
export const openKindArgument = z.string().min(1).max(100).meta({ means: 'kind' });

/**
 * What an upload, a file or an item of a Set is for: a metadata entity (interface document, Resources). It is a text in
 * the schema, where the list of all kinds would stand many times.
 */
export const targetKindArgument = openKindArgument.superRefine((given, context) => {
  if (isKind(given)) return;
  const message = `is not a kind: there are ${allKinds.join(', ')}${didYouMean(given, allKinds)}`;
  context.addIssue({ code: 'custom', message, input: given });
});
