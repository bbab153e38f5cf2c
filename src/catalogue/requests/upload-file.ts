import { z } from 'zod';
import { uploadFilename } from './file-name.ts';

/** A file as it is announced. */
export const uploadFile = z.strictObject({
  filename: uploadFilename,
  /** Media type of what the file really is. */
  contentType: z.string().regex(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/, 'is not a media type'),
  /** Bytes. */
  contentLength: z.int().min(1),
});

export type UploadFile = z.output<typeof uploadFile>;

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in lower-case hexadecimal');

/** Content-Type, Content-Length and X-Upload-Filename, as every upload carries them. */
export function fileHeaders({ contentType, contentLength, filename }: UploadFile): Record<string, string> {
  return {
    'Content-Type': contentType,
    'Content-Length': String(contentLength),
    'X-Upload-Filename': filename,
  };
}
