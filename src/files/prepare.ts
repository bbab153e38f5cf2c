import path from 'node:path';
import { cleanText } from '../text.ts';
import type { Sha256 } from './digest.ts';
import { openUploadFile } from './open-file.ts';
import { type MediaType, type PictureShape, readPictureShape, pictureTypeOf } from './picture.ts';
import { hashFile, type ReadOptions, type UploadBytes } from './upload-bytes.ts';
import type { RootNames } from './upload-roots.ts';
import { type FileWarning, warningsOfPicture } from './warnings.ts';
import { wireFilename } from './wire-filename.ts';

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
  { slot, maxBytes }: PrepareOptions,
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
    warnings: warningsOfPicture({ name, contentType, length, picture, slot, maxBytes }),
  };
}
