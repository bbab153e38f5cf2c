import path from 'node:path';
import { ArtworkError } from '../errors.ts';
import { cleanText } from '../text.ts';
import { type Content, contentOf, holdFile, type Reading, type Sendable, type Sha256 } from './content.ts';
import type { Copies } from './copies.ts';
import { type ImageFormat, imageFormat, openEncoded } from './decode.ts';
import { type OpenFile, openFile } from './open-file.ts';
import {
  type FileWarning,
  lookAtPicture,
  type PictureFacts,
  type Purpose,
  warningsOfPicture,
} from './picture.ts';
import { refusedFile } from './refusal.ts';
import type { Roots } from './roots.ts';

/** A file of an open folder that was read whole, and can be sent as far as can be told here. Plain data. */
export interface CheckedFile extends Content {
  /** Where it lies, without links. */
  readonly path: string;
  /** Its name on this machine, which other people may have chosen, without control characters. */
  readonly name: string;
  /** For X-Upload-Filename and declarations: printable ASCII, at most 120 characters. */
  readonly filename: string;
  /** Media type of what it really is. */
  readonly contentType: `image/${ImageFormat}`;
  /** Null where its bytes were known, so that they were not decoded again. */
  readonly picture: PictureFacts | null;
}

export interface Checking extends Reading {
  readonly roots: Roots;
  /** Digest of bytes that were decoded before: the same are not decoded again. */
  readonly known?: string | undefined;
  /** The frame that is to be chosen for its preview, from 0; null or left out: none. */
  readonly frame?: number | null | undefined;
}

/**
 * Opens, hashes and decodes what an argument names, in this order: nothing of another kind is read whole.
 * @param keepIn where a private copy is made in the same pass; left out: none is
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; with a copy also `internal`, of the disk
 */
export async function checkFile(
  given: string,
  how: Checking,
  keepIn?: { readonly copies: Pick<Copies, 'keep'>; readonly keeper: string },
): Promise<CheckedFile> {
  const file = await openFile(given, how.roots);
  try {
    const format = await formatOf(file);
    const read = keepIn === undefined ? contentOf(file, how) : keepIn.copies.keep(keepIn.keeper, file, how);
    return await lookAt(file, format, await read, how);
  } finally {
    await file.close();
  }
}

/** A file that is to be sent at once, from the descriptor that it was checked by. */
export interface Upload extends CheckedFile, Sendable {}

/**
 * The same for a file that stays open. The caller closes it.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; then nothing stays open
 */
export async function openUpload(given: string, how: Checking): Promise<Upload> {
  const file = await openFile(given, how.roots);
  let { close } = file;
  try {
    const format = await formatOf(file);
    const held = await holdFile(file, how);
    close = held.close;
    return { ...(await lookAt(file, format, held.content, how)), body: held.body, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function lookAt(
  file: OpenFile,
  format: ImageFormat,
  content: Content,
  { known, frame }: Checking,
): Promise<CheckedFile> {
  const picture = content.sha256 === known ? null : await lookAtPicture(file, format);
  // The service would refuse it only once the file has arrived.
  if (frame != null && frame > 0) {
    const { frames } = picture ?? (await openEncoded(file.direct, 0, 'refused'));
    const has = frames === 1 ? 'is a still one' : `has frames 0 to ${frames - 1}`;
    const message = `selectedSourceFrame is ${frame}, and the picture ${has}.`;
    if (frame >= frames) throw new ArtworkError('invalid_arguments', message);
  }
  await file.requireUnchanged();
  const name = path.basename(file.path);
  const names = { name: cleanText(name), filename: wireFilename(name, format, content.sha256) };
  return { ...content, path: file.path, ...names, contentType: `image/${format}`, picture };
}

/**
 * The header of a WebP can tell no more, and it is 200 times what the interface document shows as a limit (Errors,
 * `asset.file.maxSize`): a longer file is no picture, and reading it takes minutes or hours. Bytes.
 */
export const mostPictureBytes = 4 * 1024 ** 3;

/** What a file is by its first bytes, whatever its name says. */
async function formatOf(file: OpenFile): Promise<ImageFormat> {
  const start = Buffer.alloc(16);
  await file.readAt(0, start);
  const format = imageFormat(start);
  if (format === null) {
    const message =
      'This is neither a PNG, JPEG, WebP nor GIF, whatever its name says. Export it as one of these.';
    throw refusedFile('unknown_type', message);
  }
  if (file.length > mostPictureBytes) {
    const message = `The file was not read: it has ${file.length} bytes, and a picture has at most ${mostPictureBytes}. Export the picture again, or name another file.`;
    throw refusedFile('too_large', message);
  }
  return format;
}

/** What a person would want to know of a file before it is sent. */
export function warningsOf(file: CheckedFile, purpose: Purpose): FileWarning[] {
  const { name, filename, contentType, contentLength, picture } = file;
  const told = picture === null ? [] : warningsOfPicture(picture, purpose);
  const warn = (code: string, message: string) => told.push({ code, message });
  if (contentLength > exampleMaxBytes)
    warn(
      'too_large',
      `The file may be refused: it has ${contentLength} bytes, and the interface document's example of a limit has ${exampleMaxBytes}.`,
    );
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = endings[ending];
  if (said !== undefined && `image/${said}` !== contentType)
    warn('type_differs_from_name', `The name ends in .${ending}, but the file is ${contentType}.`);
  if (filename !== path.basename(file.path))
    warn('filename_changed', `The name "${name}" can't be sent as it is. The service gets "${filename}".`);
  return told;
}

/** What the interface document's example of `asset.file.maxSize` tells (Errors). Bytes. */
const exampleMaxBytes = 20_971_520;

const endings: Readonly<Record<string, ImageFormat>> = {
  png: 'png',
  jpg: 'jpeg',
  jpeg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
};

/**
 * A name that any header, log and file system can carry: letters lose their marks, and what is not ASCII then becomes
 * `_`. The same name always gives the same one, since declarations are frozen.
 */
export function wireFilename(name: string, format: ImageFormat, sha256: Sha256): string {
  const [, stem = '', ending = ''] = /^(.*?)((?:\.(?:png|jpe?g|webp|gif))?)$/isu.exec(name) ?? [];
  const extension = ending === '' ? `.${format === 'jpeg' ? 'jpg' : format}` : ending;
  const words = plain(stem)
    .slice(0, longestName - extension.length)
    .replace(/[ ._-]+$/, '');
  // Of a name of signs alone nothing is left, and files of one folder should stay apart.
  return (/[a-z0-9]/i.test(words) ? words : `artwork-${sha256.slice(0, 12)}`) + extension;
}

const longestName = 120;

function plain(stem: string): string {
  return stem
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\w !#&'()+,.=@[\]-]+/g, '_')
    .replace(/^[ ._-]+/, '');
}
