import path from 'node:path';
import anyAscii from 'any-ascii';
import { cleanText } from '../text.ts';
import { openUploadFile } from './open-file.ts';
import {
  type FileWarning,
  type MediaType,
  type PictureShape,
  pictureTypeOf,
  readPictureShape,
  type SlotShape,
  warningsOfPicture,
} from './picture.ts';
import { requirePictureLength } from './refusal.ts';
import { hashFile, type ReadOptions, type Sha256, type UploadBytes } from './upload-bytes.ts';
import type { RootNames } from './upload-roots.ts';

/** What is known of a file before anything of it is sent. Plain data, fit for a ledger. */
export interface FileFacts {
  /** Its name on this machine, which other people may have chosen, without control characters. */
  readonly name: string;
  /** For X-Upload-Filename and declarations. */
  readonly filename: string;
  readonly filenameChanged: boolean;
  readonly contentType: MediaType;
  /** Bytes. */
  readonly contentLength: number;
  readonly sha256: Sha256;
  /** Null where it was too large to decode, or known before. */
  readonly picture: PictureShape | null;
  readonly warnings: readonly FileWarning[];
}

export interface PreparedFile {
  readonly facts: FileFacts;
  /** Open until it is closed. */
  readonly bytes: UploadBytes;
}

export interface PrepareOptions extends ReadOptions {
  readonly roots: RootNames;
  readonly slot: string;
  /** What pictures of the slot usually look like; null where that is not known. */
  readonly usual: SlotShape | null;
  /** `details.maxBytes` of an earlier refusal (`asset.file.maxSize`), null where there was none. */
  readonly maxBytes: number | null;
  /** Digest of bytes that were decoded before: the same are not decoded again, and bring no warnings. */
  readonly known?: string | undefined;
}

/**
 * Opens, looks at and hashes a file that a model named. Nothing has been sent; the caller closes `bytes`.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; then nothing stays open
 */
export async function prepareFile(file: string, options: PrepareOptions): Promise<PreparedFile> {
  const opened = await openUploadFile(file, options.roots);
  let open: { close(): Promise<void> } = opened;
  try {
    const contentType = await pictureTypeOf(opened);
    requirePictureLength(opened.length);
    const bytes = await hashFile(opened, options);
    open = bytes;
    const isKnown = bytes.sha256 === options.known;
    const picture = isKnown ? null : await readPictureShape(bytes, contentType, options.signal);
    const facts = factsOf(contentType, bytes, picture, options);
    return { facts: isKnown ? { ...facts, warnings: [] } : facts, bytes };
  } catch (error) {
    await open.close();
    throw error;
  }
}

function factsOf(
  contentType: MediaType,
  { file, length, sha256 }: UploadBytes,
  picture: PictureShape | null,
  { slot, usual, maxBytes }: PrepareOptions,
): FileFacts {
  const name = path.basename(file.path);
  const { filename, changed } = wireFilename(name, contentType, sha256);
  return {
    name: cleanText(name),
    filename,
    filenameChanged: changed,
    contentType,
    contentLength: length,
    sha256,
    picture,
    warnings: warningsOfPicture({ name, contentType, length, picture, slot, usual, maxBytes }),
  };
}

export interface WireFilename {
  /** What X-Upload-Filename and a declaration carry: printable ASCII, at most 120 characters. */
  readonly filename: string;
  /** It is not the name that the file has. */
  readonly changed: boolean;
}

const longest = 120;

/**
 * A name that any header, log and file system can carry: letters of every script become Latin ones without marks, what
 * has no ASCII likeness becomes `_`. The same name always gives the same one, since declarations are frozen.
 */
export function wireFilename(name: string, mediaType: MediaType, sha256: Sha256): WireFilename {
  const [, stem = '', ending = ''] = /^(.*?)((?:\.(?:png|jpe?g|webp|gif))?)$/isu.exec(name) ?? [];
  const extension = ending === '' ? `.${extensions[mediaType]}` : ending;
  const words = plain(stem)
    .slice(0, longest - extension.length)
    .replace(/[ ._-]+$/, '');
  // Of a name of signs alone nothing is left, and files of one folder should stay apart.
  const filename = (/[a-z0-9]/i.test(words) ? words : `artwork-${sha256.slice(0, 12)}`) + extension;
  return { filename, changed: filename !== name };
}

function plain(stem: string): string {
  return stem
    .normalize('NFC')
    .replace(/\P{ASCII}/gu, (sign) => likeness[sign] ?? (isWritten.test(sign) ? anyAscii(sign) : sign))
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^\w !#&'()+,.=@[\]-]+/g, '_')
    .replace(/^[ ._-]+/, '');
}

/** Letters, figures and dashes of any script. A picture of a thing would become its name, which is not in the name. */
const isWritten = /^[\p{Letter}\p{Number}\p{Dash_Punctuation}]$/u;

const extensions: Readonly<Record<MediaType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** Signs that are neither, and that a name needs to be read. */
const likeness: Readonly<Record<string, string>> = { '‘': "'", '’': "'", '×': 'x', '⁄': '-' };
