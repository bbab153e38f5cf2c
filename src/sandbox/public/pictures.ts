import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { findTarget } from '../artwork/targets.ts';
import type { Answer, Route } from '../http.ts';
import { notFound } from '../http.ts';
import { keptPicture } from '../pictures/kept.ts';
import type { Premises } from '../premises.ts';

type DrawnFormat = 'png' | 'jpeg' | 'webp';

/** How a picture is named on the wire, by format. */
const extensions: Readonly<Record<string, string>> = { png: 'png', jpeg: 'jpg', webp: 'webp', gif: 'gif' };

/** Root-relative (the interface document, Resources), whatever path prefix `{base_url}` has. */
export function assetPath(assetId: string, format: string): string {
  return `/artwork/${assetId}.${extensions[format]}`;
}

/** The pictures behind the root-relative paths of Assets and behind `metadataImages`. */
export function pictureRoutes(premises: Premises): readonly Route[] {
  return [
    {
      path: '/artwork/{file}',
      answer: (values, request) => artwork(premises, values.text('file'), request),
    },
    {
      path: '/metadata/{kind}/{id}/{file}',
      answer: (values, request) =>
        metadataPicture(premises, values.text('kind'), values.integer('id'), values.text('file'), request),
    },
  ];
}

/** A replaced Asset keeps its picture: feeds and Sets that were read before still name it. */
async function artwork(premises: Premises, file: string, request: IncomingMessage): Promise<Answer> {
  const { database, now } = premises;
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
      ? await drawn(premises, `artwork-${file}`, {
          slot: asset.text('slot'),
          ...wordsOn(premises, asset.text('target_kind'), asset.integer('target_id')),
          // All artwork of one Set is in one style.
          seed: `${asset.integerOrNull('set_id') ?? asset.text('id')}/${asset.text('id')}`,
          format: drawnFormat(format),
        })
      : await keptPicture(folderOf(premises), uploaded, () => Promise.reject(notFound(`Picture ${file}`)));
  return pictureAnswer(bytes, `image/${format}`, request);
}

async function metadataPicture(
  premises: Premises,
  kind: string,
  id: number,
  file: string,
  request: IncomingMessage,
): Promise<Answer> {
  const picture = premises.database.first(
    'SELECT slot FROM metadata_images WHERE kind = ? AND id = ? AND file_name = ?',
    kind,
    id,
    file,
  );
  if (!picture) throw notFound(`Picture ${file}`);
  const format = file.endsWith('.png') ? 'png' : 'jpeg';
  const bytes = await drawn(premises, `metadata-${kind}-${id}-${file}`, {
    slot: picture.text('slot'),
    ...wordsOn(premises, kind, id),
    seed: `${kind} ${id}/${file}`,
    format,
  });
  return pictureAnswer(bytes, `image/${format}`, request);
}

interface Drawing {
  readonly slot: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly seed: string;
  readonly format: DrawnFormat;
}

function wordsOn({ database }: Premises, kind: string, id: number): Pick<Drawing, 'title' | 'subtitle'> {
  const target = findTarget(database, kind, id);
  if (!target) throw new Error(`There is no ${kind} ${id} to draw a picture for.`);
  return { title: target.title, subtitle: target.subtitle };
}

function drawn(premises: Premises, key: string, drawing: Drawing): Promise<Buffer> {
  return keptPicture(folderOf(premises), key, async () => {
    // Only now: the catalogue starts sooner without the drawing, and mostly runs without it.
    const { drawPicture } = await import('../pictures/draw.ts');
    return (await drawPicture(drawing)).bytes;
  });
}

function folderOf({ dataDir }: Premises): string {
  return path.join(dataDir, 'pictures');
}

function drawnFormat(format: string): DrawnFormat {
  if (format === 'png' || format === 'jpeg' || format === 'webp') return format;
  throw new TypeError(`A picture in the format ${format} can't be drawn, only uploaded.`);
}

function pictureAnswer(bytes: Buffer, contentType: string, request: IncomingMessage): Answer {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = { etag, 'cache-control': 'public, max-age=3600' };
  const asked = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (asked?.some((tag) => tag === etag || tag === '*')) {
    return { status: 304, headers, body: Buffer.alloc(0) };
  }
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body: bytes };
}
