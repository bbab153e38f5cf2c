import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { catalogueId, entityKind, type OmittedSection, readResult, setKind } from '../../mcp/arguments.ts';
import type { Thumbnail } from '../../curation/thumbnail.ts';
import type { Context } from '../../mcp/context.ts';
import { defineTool, type ImageBlock, readOnly } from '../../mcp/tool.ts';
import { type ArtworkItem, type Picture, picturesOf } from './pictures.ts';

const item = z.strictObject({
  kind: z.enum({ ...entityKind.enum, ...setKind.enum }).optional(),
  id: catalogueId.optional(),
  slot: z.string().max(40).optional().describe('e.g. "poster"; a Set without it: all its pictures'),
  assetId: z.uuid().optional(),
  path: z.string().max(2_000).optional().describe('an Asset path from an answer'),
  url: z.string().max(2_000).optional().describe('a metadataImages URL from an answer'),
});

const input = z.strictObject({
  items: z.array(item).min(1).max(24).describe('each one of {kind,id,slot?}, {assetId}, {path}, {url}'),
  size: z
    .int()
    .min(64)
    .max(1_600)
    .optional()
    .describe('width in pixels of a picture; default 768, on a sheet 256'),
});

const mostPictures = 24;
/** Bytes, so that Base64 of all image blocks stays within 1 MB. */
const imageBudget = 700_000;
const parallelFetches = 4;

export const viewArtwork = defineTool({
  name: 'view_artwork',
  title: 'Look at artwork',
  toolset: 'catalogue',
  description:
    'Shows pictures: one as an image, several as one contact sheet whose numbers match `data`. Takes what other answers name: an entity or Set by kind and id, an Asset path, or a metadataImages URL. A picture that cannot be read is an error of its own item. At most 24 pictures; the rest is in `omitted`.',
  annotations: readOnly,
  input,
  output: readResult,
  async run(args, context) {
    const found = (await inOrder(args.items, (one) => picturesOrFailure(one, context))).flat();
    const shown = found.slice(0, mostPictures);
    const size = args.size ?? (shown.length === 1 ? 768 : 256);
    let done = 0;
    const looks = await inOrder(shown, async (picture) => {
      const look = await lookAt(picture, size, context);
      done += 1;
      await context.progress(done, shown.length, 'pictures read');
      return look;
    });
    return {
      structured: {
        data: looks.map((look, index) => described(look, index + 1)),
        omitted: omittedPictures(found, args.size),
        nextCursor: null,
      },
      images: await imageBlocks(looks, size),
    };
  },
});

type Found = Picture | Failed;

interface Failed {
  readonly label: string;
  readonly error: ArtworkError;
}

interface Seen extends Picture {
  readonly thumbnail: Thumbnail;
}

/** An item that names nothing to see is that item's failure; a cancelled call is everybody's. */
async function picturesOrFailure(one: ArtworkItem, context: Context): Promise<Found[]> {
  try {
    return await picturesOf(one, context);
  } catch (error) {
    return [failed(JSON.stringify(one).slice(0, 200), error)];
  }
}

async function lookAt(picture: Found, size: number, context: Context): Promise<Seen | Failed> {
  if ('error' in picture) return picture;
  try {
    const { thumbnail } = await import('../../curation/thumbnail.ts');
    const image = await context.catalogue.fetchImage(picture.ref, {
      ...context.call(),
      seenIn: picture.seenIn,
    });
    return { ...picture, thumbnail: await thumbnail(image.bytes, { size, maxBytes: imageBudget }) };
  } catch (error) {
    return failed(picture.label, error);
  }
}

function failed(label: string, error: unknown): Failed {
  if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
  return { label, error };
}

async function imageBlocks(looks: readonly (Seen | Failed)[], size: number): Promise<ImageBlock[]> {
  const seen = looks.flatMap((look, index) => ('thumbnail' in look ? [{ look, number: index + 1 }] : []));
  const [first] = seen;
  if (first === undefined) return [];
  if (looks.length === 1) {
    return [{ bytes: first.look.thumbnail.bytes, mimeType: first.look.thumbnail.contentType }];
  }
  const { contactSheet } = await import('../../curation/contact-sheet.ts');
  const sheet = await contactSheet(
    seen.map(({ look, number }) => ({ image: look.thumbnail.bytes, number, label: look.label })),
    { cellWidth: size, maxBytes: imageBudget },
  );
  return [{ bytes: sheet.bytes, mimeType: sheet.contentType }];
}

function described(look: Seen | Failed, number: number): Record<string, unknown> {
  if ('error' in look) {
    const { code, category, message } = look.error;
    return { number, label: look.label, error: { code, category, message } };
  }
  return { number, label: look.label, ref: look.ref, original: look.thumbnail.original };
}

function omittedPictures(found: readonly Found[], size: number | undefined): OmittedSection[] {
  const rest = found
    .slice(mostPictures)
    .flatMap((picture) => ('ref' in picture ? [argumentFor(picture.ref)] : []));
  if (rest.length === 0) return [];
  const items = rest.slice(0, mostPictures);
  return [
    {
      section: 'pictures',
      total: found.length,
      returned: mostPictures,
      next: { tool: 'view_artwork', arguments: size === undefined ? { items } : { items, size } },
    },
  ];
}

function argumentFor(ref: string): ArtworkItem {
  return ref.startsWith('/') ? { path: ref } : { url: ref };
}

/** Runs a few at a time, and returns the results in the order of the items. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const work = async () => {
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      results[entry[0]] = await run(entry[1]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelFetches, items.length) }, work));
  return results;
}
