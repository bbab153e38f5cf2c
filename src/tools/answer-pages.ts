import type { Page } from '../curation/show/page.ts';
import { pageOwner, type ReadPicture, type SavedPage, savePage } from '../curation/show/save.ts';
import { ArtworkError } from '../errors.ts';
import type { Context } from '../mcp/context.ts';

/** Milliseconds of the call that are left for writing the page, and for the answer. */
const reserveMs = 7_000;

/** Where the page of a call goes. */
export interface Shelf {
  /**
   * Reads the pictures of a page, and saves it.
   * @param read one of them, by the name that the page has for it
   * @param sheet a contact sheet that is to lie beside it, as PNG
   * @throws ArtworkError `not_connected` if another account is connected by then: the page may show what is not its
   *   own; `internal` where it can't be written; `cancelled`
   */
  save(
    page: Page,
    read: (picture: string) => Promise<ReadPicture>,
    sheet?: Buffer | null,
  ): Promise<SavedPage>;
}

/** The shelf of a call, taken before anything is read for its page. */
export async function openShelf({ settings, account, deadline, progress }: Context): Promise<Shelf> {
  const { home, user } = settings;
  const now = async () => pageOwner(user, await (await account()).account());
  const first = await now();
  return {
    save: (page, read, sheet = null) =>
      savePage(page, {
        ...{ home, read, sheet },
        hasTime: () => deadline.left() > reserveMs,
        progress: (done, of) => progress(done, of, 'pictures of the page'),
        async owner() {
          if ((await now()) === first) return first;
          const message = 'A person signed in or out meanwhile, so no page was made of what was read.';
          const why = 'The same call, made again, reads for the account that is connected now.';
          throw new ArtworkError('not_connected', message, { next: { why } });
        },
      }),
  };
}

/** What an answer says of a page that has not all of its pictures; null for a whole one. */
export function lateWords({ leftOut }: SavedPage): string | null {
  if (leftOut === 0) return null;
  return `There was no time for ${leftOut} pictures of the page, whose places say so. The same call has time for more of them.`;
}
