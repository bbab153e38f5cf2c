import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Context } from '../context.ts';
import { readBody, Refusal } from '../http.ts';
import { isSlot, slots } from '../model.ts';
import { uploadsFolder } from '../public/pictures.ts';
import { invalid, refuse } from './refusals.ts';

/** The headers of an upload, as they were written. */
export interface FileHeaders {
  readonly contentType: string;
  readonly contentLength: number;
  readonly filename: string;
  /** Lowercase hex; null where it was not sent. */
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

/** A picture file that lies in the folder of uploads, under the id of the Asset that it is to be. */
export interface KeptFile {
  readonly assetId: string;
  readonly picture: Picture;
}

/** The interface document shows this limit by example. All others are this catalogue's own, generous ones. */
const maxBytes = 20_971_520;
const maxEdge = 10_000;
const maxPixels = 50_000_000;
const maxPixelsOfAllFrames = 400_000_000;
const ratioTolerance = 0.06;

const formats = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const;
type Format = (typeof formats)[keyof typeof formats];

/** @throws Refusal 411, 415 or 400. */
export function readFileHeaders({ headers }: IncomingMessage): FileHeaders {
  const { 'content-length': length, 'content-type': contentType = '' } = headers;
  if (length === undefined || headers['transfer-encoding'] !== undefined) {
    throw new Refusal(411, 'asset.file.length_required', 'Send the file with its Content-Length.');
  }
  if (headers['content-encoding'] !== undefined) {
    throw new Refusal(415, 'asset.file.type', 'Send the file as it is, without a Content-Encoding.');
  }
  const sha256 = headers['x-upload-sha256'] ?? null;
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(String(sha256))) {
    throw invalid(['X-Upload-SHA256'], 'This must be the SHA-256 of the file in lowercase hex.');
  }
  return {
    contentType,
    contentLength: Number(length),
    filename: String(headers['x-upload-filename'] ?? ''),
    sha256: sha256 === null ? null : String(sha256),
  };
}

/** A name that every file system and every header takes. @throws Refusal 400. */
export function requireFilename(name: string, path: readonly string[]): void {
  const isPlain = /^[\x20-\x7e]{1,255}$/.test(name) && !/[/\\]/.test(name);
  if (isPlain && name.trim() === name && !/^\.+$/.test(name)) return;
  throw invalid(path, 'This must be a file name of 1 to 255 printable ASCII characters, without / and \\.');
}

/** @throws Refusal 413, or 400 for an empty file. */
export function requireSize(bytes: number, path?: readonly string[]): void {
  if (bytes > maxBytes) {
    throw refuse(413, 'asset.file.maxSize', `A file has at most ${maxBytes} bytes.`, path, { maxBytes });
  }
  if (bytes === 0) throw refuse(400, 'asset.file.empty', 'The file is empty.', path);
}

/** The case of a media type has no meaning, nor have its parameters here. @throws Refusal 415. */
export function requireType(written: string, path?: readonly string[]): Format {
  const type = written.split(';', 1).join('').trim().toLowerCase();
  const format = Object.entries(formats).find(([name]) => name === type)?.[1];
  if (format !== undefined) return format;
  const allowed = Object.keys(formats);
  throw refuse(415, 'asset.file.type', `A file is one of ${allowed.join(', ')}.`, path, { allowed });
}

/** The whole body. @throws Refusal 413 or 400 before it is read, 422 for another digest than the declared one. */
export async function receive(request: IncomingMessage, headers: FileHeaders) {
  requireSize(headers.contentLength);
  const bytes = await readBody(request, maxBytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (headers.sha256 !== null && headers.sha256 !== sha256) {
    const message = 'The body does not have the declared SHA-256.';
    throw refuse(422, 'asset.file.digest_mismatch', message, ['X-Upload-SHA256'], { sha256 });
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
  const format = requireType(contentType);
  const found = formatOf(bytes);
  if (found !== format) {
    const message = `The file is ${found ?? 'no picture of a known format'}, not ${format}.`;
    throw refuse(422, 'asset.file.content_mismatch', message, ['Content-Type'], { declared: format, found });
  }
  const picture = { format, ...(await decode(bytes)) };
  requireFit(picture, slot);
  if (selectedFrame !== null) requireFrame(selectedFrame, picture.frames);
  return picture;
}

/** @throws Refusal 422 for a still picture, or a frame that is not there */
export function requireFrame(selected: number, frames: number): void {
  if (frames === 1) {
    const message = 'A still picture has no frames to select.';
    throw refuse(422, 'asset.preview.not_animated', message, ['selectedSourceFrame']);
  }
  if (selected < frames) return;
  const message = `There are the frames 0 to ${frames - 1}.`;
  throw refuse(422, 'asset.preview.frame_range', message, ['selectedSourceFrame'], { frames });
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

/** By the first bytes; null for any other format. */
function formatOf(bytes: Buffer): Format | null {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'webp' : null;
}

function requireFit({ width, height }: Picture, slot: string): void {
  // Another slot is refused before its file is read.
  if (!isSlot(slot)) throw new TypeError(`There is no slot ${slot}.`);
  const { ratios, minWidth } = slots[slot];
  if (width < minWidth || Math.max(width, height) > maxEdge || width * height > maxPixels) {
    const message = `A ${slot} is at least ${minWidth} pixels wide, and at most ${maxEdge} either way.`;
    const bounds = { width, height, minWidth, maxEdge, maxPixels };
    throw refuse(422, 'asset.file.dimensions', message, undefined, bounds);
  }
  const ratio = width / height;
  if (ratios !== null && !ratios.some((wanted) => Math.abs(ratio / wanted - 1) <= ratioTolerance)) {
    const message = `${width} × ${height} is not the shape of a ${slot}.`;
    const shown = { width, height, expectedRatios: ratios, tolerance: ratioTolerance };
    throw refuse(422, 'asset.file.ratio', message, undefined, shown);
  }
}

/** Writes a file durably before anything refers to it. */
export async function keepFile(dataDir: string, bytes: Buffer, picture: Picture): Promise<KeptFile> {
  const kept = { assetId: randomUUID(), picture };
  await mkdir(uploadsFolder({ dataDir }), { recursive: true, mode: 0o700 });
  const options = { mode: 0o600, flush: true, flag: 'wx' };
  await writeFile(path.join(uploadsFolder({ dataDir }), fileName(kept)), bytes, options);
  return kept;
}

/** The name in the folder of uploads. */
export function fileName({ assetId, picture }: KeptFile): string {
  return `${assetId}.${picture.format}`;
}

/** Removes files that nothing refers to any more. */
export async function removeFiles(dataDir: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => rm(path.join(uploadsFolder({ dataDir }), name), { force: true })));
}

/** Removes what a killed process has left: at the start, when no upload is under way. */
export async function sweepUploads({ store, dataDir }: Pick<Context, 'store' | 'dataDir'>): Promise<void> {
  await mkdir(uploadsFolder({ dataDir }), { recursive: true, mode: 0o700 });
  const wanted = store.all(
    `SELECT file AS name FROM assets WHERE file IS NOT NULL
     UNION SELECT (received ->> '$.kept.assetId') || '.' || (received ->> '$.kept.picture.format') FROM submission_items
       WHERE status = 'received'`,
  );
  const names = new Set(wanted.map((row) => row.textOrNull('name')));
  const lost = (await readdir(uploadsFolder({ dataDir }))).filter((name) => !names.has(name));
  await removeFiles(dataDir, lost);
}
