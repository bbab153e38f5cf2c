import type { Page } from '../curation/show/page.ts';
import type { ReadPicture } from '../curation/show/save.ts';
import type { Context } from '../mcp/context.ts';

/** Milliseconds of the call that are left for writing the page, and for the answer. */
const reserveMs = 7_000;

/**
 * Reads the pictures of a page, and saves it for the account that was connected when the call began.
 * @param read one of them, by the name that the page has for it
 * @param sheet a contact sheet that is to lie beside it, as PNG
 * @returns its `file:` URI, and where not all pictures were read in time the warning that says so
 * @throws ArtworkError `internal` where it can't be written; `cancelled`
 */
export type SavePage = (
  page: Page,
  read: (picture: string) => Promise<ReadPicture>,
  sheet?: Buffer | null,
) => Promise<{ readonly uri: string; readonly late: readonly string[] }>;

/**
 * Saves the page that a call asks for. Null where none is asked for, and for a later page of the answer: the page for a
 * person shows all of it at once.
 */
export async function pageSaver(
  args: { readonly page?: boolean | undefined; readonly cursor?: string | undefined },
  { settings: { home, user }, account, deadline, progress }: Context,
): Promise<SavePage | null> {
  if (args.page !== true || args.cursor !== undefined) return null;
  const saving = await import('../curation/show/save.ts');
  const owner = saving.pageOwner(user, await (await account()).account());
  return async (page, read, sheet = null) => {
    const { uri, leftOut } = await saving.savePage(page, {
      ...{ home, read, sheet },
      owner: async () => owner,
      hasTime: () => deadline.left() > reserveMs,
      progress: (done, of) => progress(done, of, 'pictures of the page'),
    });
    const late = `The page lacks ${leftOut} pictures, for which there was no time. The same call again has time for more.`;
    return { uri, late: leftOut === 0 ? [] : [late] };
  };
}
