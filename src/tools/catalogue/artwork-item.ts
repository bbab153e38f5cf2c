import { z } from 'zod';
import { catalogueId } from '../../mcp/arguments.ts';
import { entityKind, setKind } from '../../mcp/kinds.ts';
import { isKind, slotsWithin } from '../../model/kinds.ts';
import { slotMeant } from '../../model/slots.ts';

/** Kinds of Sets that only `/me` reads; media_set is what it calls a Set of a film, show, game or collection. */
export const ownKinds = ['talent_set', 'category_set', 'media_set'] as const;

/** One picture, or the pictures of one entity or Set, as a call names them. */
export const artworkItem = z
  .strictObject({
    kind: z
      .enum([...entityKind.options, ...setKind.options, ...ownKinds])
      .optional()
      .meta({ inWords: true, description: 'as answers name it, e.g. show, boxset' }),
    id: catalogueId.optional(),
    slot: z.string().max(60).optional().meta({
      description:
        'of an entity "poster": the one that stands for it; "posters": all of that list. Of a Set: all of that slot (a show_set has posters of its seasons too); left out: all it has',
      brief: 'poster: the main one; posters: all',
    }),
    assetId: z
      .uuid()
      .optional()
      .meta({ description: "of the connected account's own Assets", brief: 'your own' }),
    path: z
      .string()
      .max(4_000)
      .optional()
      .meta({ description: 'an Asset path as an answer shows it', brief: 'an Asset path' }),
    url: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: 'a metadataImages URL from an answer', brief: 'a metadataImages URL' }),
    file: z.string().max(4_096).optional().meta({
      description:
        'on this machine: absolute path or file: URI below an upload folder; with planId as the plan shows it',
      brief: 'on this machine; with planId as the plan shows it',
    }),
  })
  .overwrite(slotOfSet);

export type ArtworkItem = z.output<typeof artworkItem>;

/** A Set has no lists beside its slots, so that any word for one means it. What an entity has tells its record. */
function slotOfSet<Item extends { kind?: string | undefined; slot?: string | undefined }>(one: Item): Item {
  if (one.kind === undefined || one.slot === undefined || isKind(one.kind)) return one;
  return { ...one, slot: slotMeant(one.slot, slotsWithin(one.kind)) ?? one.slot };
}
