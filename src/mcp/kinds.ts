import { z } from 'zod';
import type { EntityKind, SetKind } from '../catalogue/records/kinds.ts';
import { nearestWord } from './nearest.ts';

// Of the client's types, so that a kind that it knows can't be forgotten here.
export const entityKind: z.ZodEnum<{ [Kind in EntityKind]: Kind }> = z.enum([
  ...(['show', 'season', 'episode', 'movie', 'collection', 'game'] as const),
  ...(['company', 'network', 'person', 'category'] as const),
]);
export const setKind: z.ZodEnum<{ [Kind in SetKind]: Kind }> = z.enum([
  ...(['movie_set', 'show_set', 'game_set', 'collection_set', 'brand_set', 'boxset', 'loadout'] as const),
]);

/** Words that people have for a kind. */
const otherWords: { readonly [Kind in EntityKind]: readonly string[] } = {
  show: ['tv', 'tvshow', 'series', 'tvseries', 'program', 'programme'],
  season: [],
  episode: [],
  movie: ['film', 'feature', 'featurefilm', 'motionpicture'],
  collection: ['franchise', 'saga', 'filmseries', 'movieseries'],
  game: ['videogame'],
  company: ['studio', 'productioncompany', 'publisher', 'developer'],
  network: ['channel', 'tvnetwork', 'broadcaster'],
  person: ['actor', 'actress', 'director', 'talent', 'artist'],
  category: ['genre', 'tag'],
};

/** The plural of a kind, where it is not the kind with an s. */
const plurals: Readonly<Record<string, EntityKind>> = {
  companies: 'company',
  categories: 'category',
  people: 'person',
};

/** A kind whatever its case, or in the plural; else the word as it is. */
function kindOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const word = given.trim().toLowerCase();
  const found = entityKind.options.find((kind) => word === kind || word === `${kind}s`);
  return found ?? (Object.hasOwn(plurals, word) ? plurals[word] : given);
}

/** The kind that another word of people's may mean, or a misspelt one; null for none. */
function kindMeant(given: string): EntityKind | null {
  const word = given.toLowerCase().replace(/[\s_-]/g, '');
  const named = entityKind.options.find((kind) =>
    otherWords[kind].some((other) => word === other || word === `${other}s`),
  );
  return named ?? entityKind.options.find((kind) => kind === nearestWord(given, entityKind.options)) ?? null;
}

/** A kind of entity, in any case, in the singular or the plural: so its values stand in words. */
export const namedKind = z
  .preprocess((given, context) => {
    const kind = kindOf(given);
    const meant = typeof kind === 'string' && !isEntityKind(kind) ? kindMeant(kind) : null;
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
  if (isEntityKind(given)) return;
  const params = { values: entityKind.options, meant: kindMeant(given) };
  context.addIssue({ code: 'custom', message: 'that is no kind', path: [...path], params });
}

/** Where the interface document leaves the kinds open: one that it names in any spelling, or whatever is given. */
export const openKindArgument = z.preprocess(kindOf, z.string().min(1).max(100));

function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(otherWords, kind);
}

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
