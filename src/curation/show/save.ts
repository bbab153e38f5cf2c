import { createHash, randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArtworkError, codeOf } from '../../errors.ts';
import { mapLimit } from '../../map-limit.ts';
import { replaceFile, sweepFolder } from '../../store/draft.ts';
import { fileFailureError } from '../../store/errors.ts';
import { makePrivateFolder, prepareHome } from '../../store/home.ts';
import { type Page, type PagePicture, picturesIn, renderPage } from './page.ts';
import { decodePicture, encodeWithin } from './picture.ts';

/** The bytes of a picture, and which frame of an animation stands for it. */
export interface ReadPicture {
  readonly bytes: Buffer;
  readonly frame: number;
}

interface Saving {
  readonly home: string;
  /** Asked once all is read. */
  owner(): Promise<PageOwner>;
  /** @throws ArtworkError where it can't be read */
  read(picture: string): Promise<ReadPicture>;
  /** Whether there is time to begin with another picture. */
  hasTime(): boolean;
  progress(done: number, of: number): Promise<void>;
  /** A contact sheet that is to lie beside it, as PNG. */
  readonly sheet?: Buffer | null;
}

export interface SavedPage {
  /** `file:` URI, to open in a browser. */
  readonly uri: string;
  /** Pictures that there was no time for. */
  readonly leftOut: number;
}

/** For whom a page is made, as it stands in the page's name. */
export type PageOwner = string & { readonly __brand: 'PageOwner' };

/**
 * Names the owner of pages: they may show what the service has shown to one account alone.
 * @param user `ARTWORK_USER`
 * @param account that is connected (`nameOfAccount`); null: none is
 */
export function pageOwner(user: string, account: string | null): PageOwner {
  const named = JSON.stringify([user, account]);
  return createHash('sha256').update(named).digest('hex').slice(0, 8) as PageOwner;
}

/** The kind, the time, a random part and whose it is: nothing of what the page shows. */
const pageName = /^(?:gallery|plan)-\d{8}-\d{6}-[0-9a-f]{8}-([0-9a-f]{8})(\.html|\.png)?$/;
const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * Reads the pictures of a page, draws it, and writes it below the data directory (folder 0700, files 0600), each file
 * complete or not at all. Pages that are older than a week are taken away.
 * @throws ArtworkError `internal` where the disk does not take it (`store_full`, `store_unreadable`,
 *   `home_not_private`), `cancelled`
 */
export async function savePage(
  page: Page,
  { home, owner, sheet = null, ...reading }: Saving,
): Promise<SavedPage> {
  const now = new Date();
  const all = picturesIn(page);
  const pictures = await embedPictures(all, reading);
  const leftOut = all.filter((one) => pictures.get(one) === late).length;
  const foot = `Made ${now.toUTCString()}. This file is kept for a week.`;
  const document = renderPage(page, pictures, foot);
  const digits = now.toISOString().replace(/\D/g, '');
  const stem = `${page.page}-${digits.slice(0, 8)}-${digits.slice(8, 14)}-${randomBytes(4).toString('hex')}`;
  const file = path.join(home, 'pages', `${stem}-${await owner()}`);
  const folder = path.dirname(file);
  await prepareHome(home);
  try {
    await makePrivateFolder(folder);
    const forMs = (name: string) => (pageName.test(name) ? keptForMs : null);
    await sweepFolder(folder, forMs);
    if (sheet !== null) await replaceFile(`${file}.png`, sheet);
    await replaceFile(`${file}.html`, document);
  } catch (error) {
    throw error instanceof ArtworkError ? error : fileFailureError(folder, error);
  }
  return { uri: pathToFileURL(`${file}.html`).href, leftOut };
}

const late: PagePicture = { unseen: 'not read in time' };
/** Bytes of all pictures of a page: a phone opens it at once, and a person can send it on. */
const pictureBudget = 5_000_000;
/** Bytes of one picture: more than this shows no more. */
const mostOfOne = 80_000;
/** Pixels of a picture's longer side: about twice what a page shows, for dense screens. */
const side = 560;

/** What fails is told in that picture's place. @throws ArtworkError `cancelled` alone */
async function embedPictures(
  wanted: readonly string[],
  { read, hasTime, progress }: Pick<Saving, 'read' | 'hasTime' | 'progress'>,
): Promise<ReadonlyMap<string, PagePicture>> {
  const each = Math.min(mostOfOne, Math.floor(pictureBudget / Math.max(1, wanted.length)));
  const embedded = new Map<string, PagePicture>();
  await mapLimit(wanted, 4, async (picture) => {
    try {
      embedded.set(picture, hasTime() ? await embed(await read(picture), each) : late);
    } catch (error) {
      if (!(error instanceof ArtworkError) || error.failure === 'cancelled') throw error;
      embedded.set(picture, { unseen: 'could not be read' });
    }
    await progress(embedded.size, wanted.length);
  });
  return embedded;
}

async function embed({ bytes, frame }: ReadPicture, maxBytes: number): Promise<PagePicture> {
  const { raster } = await decodePicture(bytes, { width: side, height: side }, frame);
  const { width, height, channels } = raster;
  const small = await encodeWithin(raster, maxBytes, 'webp');
  const dataUri = `data:image/webp;base64,${small.bytes.toString('base64')}`;
  return { dataUri, width, height, clear: channels === 4 };
}

/**
 * A page of one of the owners by its name, without an ending; null where they have none, or none any more.
 * @throws ArtworkError `internal` where it can't be read
 */
export async function readSavedPage(
  home: string,
  name: string,
  owners: readonly PageOwner[],
): Promise<string | null> {
  const [, owner, ending] = pageName.exec(name) ?? [];
  if (ending !== undefined || !owners.some((one) => one === owner)) return null;
  const file = path.join(home, 'pages', `${name}.html`);
  try {
    return (await lstat(file)).isFile() ? await readFile(file, 'utf8') : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw fileFailureError(file, error);
  }
}
