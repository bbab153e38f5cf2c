import type { Page } from '../curation/show/page.ts';
import type { ReadPicture } from '../curation/show/save.ts';
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
   * @returns its `file:` URI, and where not all pictures were read in time the warning that says so
   * @throws ArtworkError `not_connected` if another account is connected by then, to which the page must not be shown;
   *   `internal` where it can't be written; `cancelled`
   */
  save(
    page: Page,
    read: (picture: string) => Promise<ReadPicture>,
    sheet?: Buffer | null,
  ): Promise<{ readonly uri: string; readonly late: readonly string[] }>;
}

/**
 * The shelf of a call that asks for a page, taken before anything is read for it. Null where none is asked for, and for a
 * later page of the answer: the page for a person shows all of it at once.
 */
export async function openShelf(
  args: { readonly page?: boolean | undefined; readonly cursor?: string | undefined },
  { settings: { home, user }, account, deadline, progress }: Context,
): Promise<Shelf | null> {
  if (args.page !== true || args.cursor !== undefined) return null;
  const { pageOwner, savePage } = await import('../curation/show/save.ts');
  const now = async () => pageOwner(user, await (await account()).account());
  const first = await now();
  return {
    async save(page, read, sheet = null) {
      const { uri, leftOut } = await savePage(page, {
        ...{ home, read, sheet },
        hasTime: () => deadline.left() > reserveMs,
        progress: (done, of) => progress(done, of, 'pictures of the page'),
        async owner() {
          if ((await now()) === first) return first;
          const message = 'Somebody signed in or out meanwhile, so no page was made.';
          const why = 'Make the same call again, for the account that is connected now.';
          throw new ArtworkError('not_connected', message, { next: { why } });
        },
      });
      const late = `The page lacks ${leftOut} pictures, for which there was no time. The same call again has time for more.`;
      return { uri, late: leftOut === 0 ? [] : [late] };
    },
  };
}
