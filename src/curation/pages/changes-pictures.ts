import { ArtworkError } from '../../errors.ts';
import { picturesOfChanges } from './changes-view.ts';
import {
  type EmbeddedPicture,
  type Embedding,
  embedPictures,
  type PagePictures,
  type UnseenPicture,
} from './embed.ts';
import type { ChangesView } from './view.ts';

/** In the place of a picture that the service may well have: there was no room or no time for it. */
export const leftOutWords = 'left out here, the page is full';
/** In the place of a picture that the service does not have any more. */
export const goneWords = 'not kept any more';

interface ReadPictures {
  /** Every picture of the view, or why it does not stand in the page. */
  readonly pictures: PagePictures;
  /** How many different pictures there are, and how many of them nothing was asked about. */
  readonly total: number;
  readonly leftOut: number;
}

/**
 * Reads the pictures of a page of changes, the newest first. What was not asked for is told apart from what the
 * service does not have: only of the latter can it be said that it is gone.
 * @param most pictures that the page has room for
 * @throws ArtworkError `cancelled` alone
 */
export async function readPicturesOfChanges(
  view: ChangesView,
  { read, hasTime, progress }: Embedding,
  most: number,
): Promise<ReadPictures> {
  const all = [...new Set(picturesOfChanges(view))];
  const asked = new Set<string>();
  const gone = new Set<string>();
  const embedded = await embedPictures(all.slice(0, most), {
    async read(picture) {
      asked.add(picture);
      try {
        return await read(picture);
      } catch (error) {
        if (error instanceof ArtworkError && error.category === 'not_found') gone.add(picture);
        throw error;
      }
    },
    hasTime,
    progress,
  });
  const stateOf = (picture: string): EmbeddedPicture | UnseenPicture => {
    if (gone.has(picture)) return { unseen: goneWords };
    const found = asked.has(picture) ? embedded.get(picture) : undefined;
    return found ?? { unseen: leftOutWords };
  };
  return {
    pictures: new Map(all.map((picture) => [picture, stateOf(picture)])),
    total: all.length,
    leftOut: all.filter((picture) => !asked.has(picture)).length,
  };
}

/** What the page and the answer say of pictures that are left out; none: all were asked for. */
export function leftOutNotes({ total, leftOut }: ReadPictures): string[] {
  if (leftOut === 0) return [];
  return [
    `The page shows what room and time allow: ${leftOut} of its ${total} pictures are left out, and may well be there. A slot, a later since or a smaller limit makes a page with fewer.`,
  ];
}
