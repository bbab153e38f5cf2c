import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { findTarget } from '../artwork/targets.ts';
import { type Answer, notFound, type Route } from '../http.ts';
import type { PictureRequest } from '../pictures/draw.ts';
import { storedPicture } from '../pictures/stored-picture.ts';
import type { ServerContext } from '../server-context.ts';

/** The file name extension of each format. */
const extensions: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpg', webp: 'webp', gif: 'gif' };

/** Root-relative (the interface document, Resources), also where `{base_url}` has a path. */
export function assetPath(assetId: string, format: string): string {
  return `/artwork/${assetId}.${extensions[format]}`;
}

/** The pictures behind the root-relative paths of Assets and behind `metadataImages`. */
export function pictureRoutes(context: ServerContext): readonly Route[] {
  return [
    {
      path: '/artwork/{file}',
      answer: (values, request) => artwork(context, values.text('file'), request),
    },
    {
      path: '/metadata/{kind}/{id}/{file}',
      answer: (values, request) =>
        metadataPicture(context, values.text('kind'), values.integer('id'), values.text('file'), request),
    },
  ];
}

/** The picture of a replaced Asset stays available: feeds and Sets that were read before still name it. */
async function artwork(context: ServerContext, file: string, request: IncomingMessage): Promise<Answer> {
  const { database, now } = context;
  const asset = database.first(
    'SELECT * FROM assets WHERE id = ? AND public_from <= ?',
    file.replace(/\.[a-z]+$/, ''),
    now().toISOString(),
  );
  if (!asset || `/artwork/${file}` !== assetPath(asset.text('id'), asset.text('format'))) {
    throw notFound(`Picture ${file}`);
  }
  const format = asset.text('format');
  const uploaded = asset.textOrNull('uploaded_file');
  const bytes =
    uploaded === null
      ? await drawn(context, `artwork-${file}`, {
          slot: asset.text('slot'),
          ...titleOf(context, asset.text('target_kind'), asset.integer('target_id')),
          creator: nameOf(context, asset.integerOrNull('owner_id')),
          language: asset.textOrNull('language_code'),
          series: `${asset.integerOrNull('set_id') ?? asset.text('id')}`,
          seed: asset.text('id'),
          format: drawnFormat(format),
        })
      : await storedPicture(folderOf(context), uploaded, () => Promise.reject(notFound(`Picture ${file}`)));
  return pictureAnswer(bytes, `image/${format}`, request);
}

async function metadataPicture(
  context: ServerContext,
  kind: string,
  id: number,
  file: string,
  request: IncomingMessage,
): Promise<Answer> {
  const picture = context.database.first(
    'SELECT slot FROM metadata_images WHERE kind = ? AND id = ? AND file_name = ?',
    kind,
    id,
    file,
  );
  if (!picture) throw notFound(`Picture ${file}`);
  const format = file.endsWith('.png') ? 'png' : 'jpeg';
  const bytes = await drawn(context, `metadata-${kind}-${id}-${file}`, {
    slot: picture.text('slot'),
    ...titleOf(context, kind, id),
    creator: null,
    language: null,
    series: `${kind} ${id}`,
    seed: file,
    format,
  });
  return pictureAnswer(bytes, `image/${format}`, request);
}

function nameOf({ database }: ServerContext, account: number | null): string | null {
  if (account === null) return null;
  return database.only('SELECT name FROM accounts WHERE id = ?', account).text('name');
}

function titleOf({ database }: ServerContext, kind: string, id: number) {
  const target = findTarget(database, kind, id);
  if (!target) throw new Error(`There is no ${kind} ${id} to draw a picture for.`);
  return { title: target.title, subtitle: target.subtitle };
}

function drawn(context: ServerContext, key: string, drawing: PictureRequest): Promise<Buffer> {
  return storedPicture(folderOf(context), key, async () => {
    // Imported only here: the catalogue starts sooner without the drawing code, and rarely needs it.
    const { drawPicture } = await import('../pictures/draw.ts');
    return drawPicture(drawing);
  });
}

function folderOf({ dataDir }: ServerContext): string {
  return path.join(dataDir, 'pictures');
}

function drawnFormat(format: string): PictureRequest['format'] {
  if (format === 'png' || format === 'jpeg' || format === 'webp') return format;
  throw new TypeError(`A picture in the format ${format} can't be drawn, only uploaded.`);
}

function pictureAnswer(bytes: Buffer, contentType: string, request: IncomingMessage): Answer {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = { etag, 'cache-control': 'public, max-age=3600' };
  const knownTags = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (knownTags?.some((tag) => tag === etag || tag === '*')) {
    return { status: 304, headers, body: Buffer.alloc(0) };
  }
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body: bytes };
}
