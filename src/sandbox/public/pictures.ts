import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from '../context.ts';
import { type Answer, type Exchange, notFound, type Route } from '../http.ts';
import { assetPath, isKind, targetOf } from '../model.ts';
import type { Drawing } from '../pictures/draw.ts';
import { systemCode } from '../sandbox-error.ts';
import { findWork, imagesOf } from './works.ts';

/** The folder of uploaded files, named as `assets.file` names them. */
export function uploadsFolder({ dataDir }: Pick<Context, 'dataDir'>): string {
  return path.join(dataDir, 'uploads');
}

/** The pictures behind the root-relative paths of Assets and behind `metadataImages`. */
export function pictureRoutes(context: Context): readonly Route[] {
  const drawn = createDrawer(context);
  return [
    { method: 'GET', path: '/artwork/{file}', answer: (exchange) => artwork(context, drawn, exchange) },
    {
      method: 'GET',
      path: '/metadata/{kind}/{id}/{file}',
      answer: (exchange) => metadataPicture(context, drawn, exchange),
    },
  ];
}

type Drawer = (name: string, drawing: Drawing) => Promise<Buffer>;

/** The picture of a replaced Asset stays: feeds and Sets that were read before still name it. */
async function artwork(context: Context, drawn: Drawer, { path: asked, segment }: Exchange) {
  const { store, now } = context;
  const file = segment('file');
  const asset = store.first(
    `SELECT a.*, o.name AS creator FROM assets a LEFT JOIN accounts o ON o.id = a.owner_id
     WHERE a.id = ? AND a.public_from <= ?`,
    file.replace(/\.[a-z]+$/, ''),
    now(),
  );
  if (!asset || asked !== assetPath(asset)) throw notFound(`Picture ${file}`);
  const [format, uploaded] = [asset.text('format'), asset.textOrNull('file')];
  if (uploaded !== null) {
    return picture(await readFile(path.join(uploadsFolder(context), uploaded)), `image/${format}`);
  }
  const { title, subtitle } = targetOf(store, asset.text('target_kind'), asset.integer('target_id'));
  const bytes = await drawn(file, {
    ...{ slot: asset.text('slot'), title, subtitle, format: formatOf(format) },
    creator: asset.textOrNull('creator'),
    languageCode: asset.textOrNull('language_code'),
    frames: asset.integer('frames'),
    series: String(asset.integerOrNull('set_id') ?? asset.text('id')),
    seed: asset.text('id'),
  });
  return picture(bytes, `image/${format}`);
}

function formatOf(word: string): Drawing['format'] {
  if (word === 'png' || word === 'jpeg' || word === 'webp') return word;
  throw new TypeError(`Nothing is drawn as ${word}.`);
}

async function metadataPicture(
  { store }: Context,
  drawn: Drawer,
  { segment, integer }: Exchange,
): Promise<Answer> {
  const [kind, id, file] = [segment('kind'), integer('id'), segment('file')];
  const slot = file.replace(/\.[a-z]+$/, '');
  const work = isKind(kind) ? findWork(store, kind, id) : undefined;
  if (work === undefined || !imagesOf(work).includes(slot)) throw notFound(`Picture ${file}`);
  const format = slot === 'logo' ? 'png' : 'jpeg';
  const { title, subtitle } = targetOf(store, kind, id);
  const bytes = await drawn(`${kind}-${id}-${file}`, {
    ...{ slot, title, subtitle, format, frames: 1, creator: null, languageCode: null },
    series: `${kind} ${id}`,
    seed: file,
  });
  return picture(bytes, `image/${format}`);
}

/** Draws a picture once, and keeps it in the data folder. */
function createDrawer({ dataDir }: Context): Drawer {
  const folder = path.join(dataDir, 'pictures');
  return async (name, drawing) => {
    const file = path.join(folder, name);
    try {
      return await readFile(file);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
    // Imported only here: the catalogue starts sooner without it, and is often not asked for a picture.
    const { drawPicture } = await import('../pictures/draw.ts');
    const bytes = await drawPicture(drawing);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, file);
    return bytes;
  };
}

/** A client asks again after an hour: the bytes behind an address never change. */
function picture(body: Buffer, contentType: string): Answer {
  const headers = { 'content-type': contentType, 'cache-control': 'public, max-age=3600' };
  return { status: 200, headers, body };
}
