import path from 'node:path';
import type { Sha256 } from './digest.ts';
import { openUpload } from './open-file.ts';
import { type MediaType, type PictureShape, readPicture } from './picture.ts';
import { hashFile, type ReadOptions, type UploadBytes } from './upload-bytes.ts';
import type { RootNames } from './upload-roots.ts';
import { type Warning, warningsFor } from './warnings.ts';
import { wireFilename } from './wire-filename.ts';

/** What is known of a file before anything of it is sent. Plain data, fit for a ledger. */
export interface FileFacts {
  /** Its name on this machine; other people may have chosen it. */
  readonly name: string;
  /** For X-Upload-Filename and declarations. */
  readonly filename: string;
  readonly filenameChanged: boolean;
  readonly contentType: MediaType;
  /** Bytes. */
  readonly contentLength: number;
  readonly sha256: Sha256;
  /** Null where it was too large to decode. */
  readonly picture: PictureShape | null;
  readonly warnings: readonly Warning[];
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
}

/**
 * Opens, looks at and hashes a file that a model named. Nothing has been sent; the caller closes `bytes`.
 * @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled`; then nothing stays open
 */
export async function prepareFile(file: string, options: PrepareOptions): Promise<PreparedFile> {
  const opened = await openUpload(file, options.roots);
  try {
    const { mediaType, shape, cutShort } = await readPicture(opened, options.signal);
    const bytes = await hashFile(opened, options);
    const name = path.basename(opened.path);
    const { filename, changed } = wireFilename(name, mediaType, bytes.sha256);
    const facts: FileFacts = {
      name,
      filename,
      filenameChanged: changed,
      contentType: mediaType,
      contentLength: bytes.length,
      sha256: bytes.sha256,
      picture: shape,
      warnings: warningsFor(
        { mediaType, shape, cutShort },
        { name, length: bytes.length, slot: options.slot, maxBytes: options.maxBytes },
      ),
    };
    return { facts, bytes };
  } catch (error) {
    await opened.close();
    throw error;
  }
}
