import { createHash, randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArtworkError, codeOf } from '../../errors.ts';
import { replaceFile } from '../../storage/draft.ts';
import { makePrivateFolder, prepareHome } from '../../storage/home.ts';
import { fileFailureError } from '../../storage/store-error.ts';
import { sweepFolder } from '../../storage/sweep.ts';
import { timeWords } from '../../model/words.ts';
import type { PagePictures } from './embed.ts';
import type { Page, PageKind } from './page.ts';
import { renderPage } from './render.ts';

/** A page on this machine's disk. */
export interface SavedPage {
  /** Without a folder: what stands for the page in `ui://`. */
  readonly name: string;
  /** `file:` URI, to open in a browser. */
  readonly uri: string;
}

const day = 24 * 60 * 60_000;
/** How long a page is kept. */
const pagesKeptForMs = 7 * day;

/** The kind, the time, a random part and whose it is: nothing of what the page shows. */
const pageName = /^(gallery|plan)-\d{8}-\d{6}-[0-9a-f]{8}-([0-9a-f]{8})$/;
const ours = /^(gallery|plan)-\d{8}-\d{6}-[0-9a-f]{8}-[0-9a-f]{8}\.(html|png)$/;

/** For whom a page is made, as it stands in the page's name. */
export type PageOwner = string & { readonly __brand: 'PageOwner' };

/**
 * Names the owner of pages: they may show what the service has shown to one account alone.
 * @param user `ARTWORK_USER`
 * @param account that is connected (`nameOfAccount`); null: none is
 */
export function pageOwner(user: string, account: string | null): PageOwner {
  const digest = createHash('sha256')
    .update(JSON.stringify([user, account]))
    .digest('hex');
  return digest.slice(0, 8) as PageOwner;
}

/** A new name for a saved page: its kind, the time, what tells it from all others, and whose it is. */
export function newPageName(kind: PageKind, now: Date, owner: PageOwner): string {
  const digits = now.toISOString().replace(/\D/g, '');
  return `${kind}-${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(4).toString('hex')}-${owner}`;
}

/** When a page was made, as its foot says it. */
export function madeWords(now: Date): string {
  return timeWords(now.toISOString()) ?? '';
}

/**
 * Draws a page, and saves it under a new name.
 * @param foot when and from what it was made, in a sentence or two
 * @param sheet a contact sheet that lies beside it, as PNG
 * @throws ArtworkError as `savePage`
 */
export async function writePage(
  page: Page,
  pictures: PagePictures,
  foot: string,
  { home, owner }: { readonly home: string; readonly owner: PageOwner },
  now: Date,
  sheet: Buffer | null = null,
): Promise<SavedPage> {
  const document = renderPage(page, pictures, `${foot} This file is kept for a week.`);
  return savePage(
    home,
    newPageName(page.page, now, owner),
    document,
    sheet === null ? null : { png: sheet },
    now,
  );
}

/**
 * Writes a page, and what lies beside it, below the data directory (folder 0700, files 0600), each complete or not at
 * all, and takes away pages that are older than a week.
 * @throws ArtworkError `internal` where the disk does not take it (`store_full`, `store_unreadable`, `home_not_private`)
 */
export async function savePage(
  home: string,
  name: string,
  page: string,
  beside: Readonly<Record<'png', Buffer>> | null,
  now: Date,
): Promise<SavedPage> {
  await prepareHome(home);
  const folder = folderIn(home);
  try {
    await makePrivateFolder(folder);
    await sweepFolder(folder, now.getTime(), {
      forMs: (name) => (ours.test(name) ? pagesKeptForMs : null),
    });
    if (beside !== null) await replaceFile(path.join(folder, `${name}.png`), beside.png);
    const file = path.join(folder, `${name}.html`);
    await replaceFile(file, page);
    return { name, uri: pathToFileURL(file).href };
  } catch (error) {
    throw error instanceof ArtworkError ? error : fileFailureError(folder, error);
  }
}

/** A page of one of the owners by its name, or null where they have none, or none any more. */
export async function readSavedPage(
  home: string,
  name: string,
  owners: readonly PageOwner[],
): Promise<string | null> {
  const [, , owner] = pageName.exec(name) ?? [];
  if (!owners.some((one) => one === owner)) return null;
  const file = path.join(folderIn(home), `${name}.html`);
  try {
    if (!(await lstat(file)).isFile()) return null;
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw fileFailureError(file, error);
  }
}

function folderIn(home: string): string {
  return path.join(home, 'pages');
}
