import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { readBody, validate } from '../http.ts';
import { isSlot, slots } from '../model.ts';
import { uploadsFolder } from '../public/pictures.ts';
import { refuse } from './refusals.ts';
import { fileHeaders } from './requests.ts';

/** What the headers of an upload say of its file. */
export interface FileHeaders {
  readonly contentType: string;
  readonly contentLength: number;
  readonly filename: string;
  readonly sha256: string | null;
}

/** What a picture file contains. */
export interface Picture {
  readonly format: Format;
  /** Pixels, after its orientation was applied. */
  readonly width: number;
  readonly height: number;
  /** 1 for a still picture. */
  readonly frames: number;
}

/** A picture file in the folder of uploads, under the id of the Asset that it is to be. */
export interface KeptFile extends Picture {
  readonly assetId: string;
  /** Its name in the folder. */
  readonly file: string;
}

/** The interface document shows this limit by example. All others are this catalogue's own, generous ones. */
const maxBytes = 20_971_520;
const maxEdge = 10_000;
const maxPixelsOfAllFrames = 400_000_000;
const ratioTolerance = 0.06;

/** Each format by its media type and by how its files begin. */
const formats = [
  { name: 'png', begins: /^\x89PNG/ },
  { name: 'jpeg', begins: /^\xff\xd8\xff/ },
  { name: 'webp', begins: /^RIFF....WEBP/s },
  { name: 'gif', begins: /^GIF8[79]a/ },
] as const;
type Format = (typeof formats)[number]['name'];

/** @throws Refusal 400 */
export function readFileHeaders({ headers }: IncomingMessage): FileHeaders {
  const read = validate(fileHeaders, headers);
  return {
    contentType: read['content-type'],
    contentLength: read['content-length'],
    filename: read['x-upload-filename'],
    sha256: read['x-upload-sha256'] ?? null,
  };
}

/** Refuses a file of this type and size before it is sent. @throws Refusal 413, 415, or 400 for an empty file */
export function requireDeclarable(
  { contentType, contentLength }: Pick<FileHeaders, 'contentType' | 'contentLength'>,
  path?: readonly string[],
): void {
  if (contentLength > maxBytes) {
    throw refuse(413, 'asset.file.maxSize', `A file has at most ${maxBytes} bytes.`, path, { maxBytes });
  }
  if (contentLength === 0) throw refuse(400, 'asset.file.empty', 'The file is empty.', path);
  formatOf(contentType, path);
}

/** The case of a media type has no meaning, nor have its parameters here. @throws Refusal 415 */
function formatOf(contentType: string, path?: readonly string[]) {
  const type = contentType.split(';', 1).join('').trim().toLowerCase();
  const format = formats.find(({ name }) => type === `image/${name}`);
  if (format !== undefined) return format;
  const allowed = formats.map(({ name }) => `image/${name}`);
  throw refuse(415, 'asset.file.type', `A file is one of ${allowed.join(', ')}.`, path);
}

/** The whole body. @throws Refusal 422 for another digest than the declared one */
export async function receive(request: IncomingMessage, headers: FileHeaders) {
  const bytes = await readBody(request, maxBytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (headers.sha256 !== null && headers.sha256 !== sha256) {
    const message = 'The body does not have the declared SHA-256.';
    throw refuse(422, 'asset.file.digest_mismatch', message, ['X-Upload-SHA256']);
  }
  return { bytes, sha256 };
}

/**
 * Decodes every frame.
 * @throws Refusal 422 for a file that is no whole picture of its type, doesn't suit the slot or lacks the frame
 */
export async function inspect(
  bytes: Buffer,
  contentType: string,
  slot: string,
  selectedFrame: number | null = null,
): Promise<Picture> {
  const { name: format, begins } = formatOf(contentType);
  if (!begins.test(bytes.toString('latin1', 0, 12))) {
    throw refuse(422, 'asset.file.content_mismatch', `The file is no ${format}.`, ['Content-Type']);
  }
  const picture = { format, ...(await decode(bytes)) };
  requireFit(picture, slot);
  if (selectedFrame !== null) requireFrame(selectedFrame, picture.frames);
  return picture;
}

/** @throws Refusal 422 for a still picture, or a frame that is not there */
export function requireFrame(selected: number, frames: number): void {
  const path = ['selectedSourceFrame'];
  if (frames === 1) throw refuse(422, 'asset.preview.not_animated', 'A still picture has no frames.', path);
  if (selected < frames) return;
  throw refuse(422, 'asset.preview.frame_range', `There are the frames 0 to ${frames - 1}.`, path);
}

async function decode(bytes: Buffer): Promise<Omit<Picture, 'format'>> {
  // Loaded here: the catalogue starts sooner without it.
  const { default: sharp } = await import('sharp');
  const options = { failOn: 'error', limitInputPixels: maxPixelsOfAllFrames, sequentialRead: true } as const;
  try {
    const { autoOrient, pages = 1 } = await sharp(bytes, options).metadata();
    // Shrunk frame by frame, which fails for a file that can't be decoded to its end.
    const shrunk = sharp(bytes, { ...options, animated: true }).resize(8, 8, { fit: 'fill' });
    await shrunk.raw().toBuffer();
    return { width: autoOrient.width, height: autoOrient.height, frames: pages };
  } catch (error) {
    // sharp reports a broken picture with an Error without a code.
    if (!(error instanceof Error) || 'code' in error) throw error;
    throw refuse(422, 'asset.file.undecodable', 'The file is damaged: it can not be decoded to its end.');
  }
}

function requireFit({ width, height }: Picture, slot: string): void {
  // Another slot is refused before its file is read.
  if (!isSlot(slot)) throw new TypeError(`There is no slot ${slot}.`);
  const { ratios, minWidth } = slots[slot];
  if (width < minWidth || Math.max(width, height) > maxEdge) {
    const message = `A ${slot} is at least ${minWidth} pixels wide, and at most ${maxEdge} either way.`;
    throw refuse(422, 'asset.file.dimensions', message);
  }
  const ratio = width / height;
  if (ratios !== null && !ratios.some((wanted) => Math.abs(ratio / wanted - 1) <= ratioTolerance)) {
    throw refuse(422, 'asset.file.ratio', `${width} × ${height} is not the shape of a ${slot}.`);
  }
}

/** Writes a file durably, before anything refers to it: call it in the transaction that refers to it. */
export function keepFile(dataDir: string, bytes: Buffer, picture: Picture): KeptFile {
  const assetId = randomUUID();
  const file = `${assetId}.${picture.format}`;
  mkdirSync(uploadsFolder({ dataDir }), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(uploadsFolder({ dataDir }), file), bytes, { mode: 0o600, flush: true, flag: 'wx' });
  return { ...picture, assetId, file };
}
