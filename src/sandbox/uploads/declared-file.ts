import type { IncomingMessage } from 'node:http';
import { invalid, ProtectedError, refused } from '../me/protected-error.ts';
import { type ContentType, formats, maxBytes } from './limits.ts';

/** What the headers of an upload say of its file (the interface document, Single-Asset upload). */
export interface DeclaredFile {
  readonly contentType: ContentType;
  readonly contentLength: number;
  readonly filename: string;
  /** Lowercase hex; null where the request need not tell. */
  readonly sha256: string | null;
}

/** The same headers as they were written, not yet judged. */
export interface WrittenFile {
  readonly contentType: string;
  readonly contentLength: number;
  readonly filename: string;
  readonly sha256: string | null;
}

/**
 * Reads the headers of a single upload, before any of its body. What they declare is still to be judged.
 * @throws ProtectedError 411 without a length, 415 for an encoded body, 400 for whatever else is missing or
 *   wrong.
 */
export function singleFile(request: IncomingMessage): WrittenFile & { readonly sha256: string } {
  const { contentLength, contentType, filename, sha256 } = writtenFile(request);
  if (!isFilename(filename)) {
    throw badHeader(
      'X-Upload-Filename',
      'This must be a file name of 1 to 255 printable ASCII characters, without / and \\.',
    );
  }
  if (sha256 === null) throw badDigest();
  return { contentType, contentLength, filename, sha256 };
}

/** @throws ProtectedError 413 for too many bytes, 415 for another media type, 400 for an empty file. */
export function allowedFile(written: WrittenFile): DeclaredFile {
  requireSize(written.contentLength);
  return { ...written, contentType: requireType(written.contentType) };
}

/**
 * Reads the headers of any upload. The digest may be missing, and counts where it is there.
 * @throws ProtectedError 411 without a length, 415 for an encoded body, 400 for a header given twice or a
 *   digest that is none.
 */
export function writtenFile(request: IncomingMessage): WrittenFile {
  const written = onlyHeader(request, 'Content-Length');
  if (written === undefined || request.headers['transfer-encoding'] !== undefined) {
    throw new ProtectedError(411, 'asset.file.length_required', 'Send the file with its Content-Length.');
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new ProtectedError(415, 'asset.file.type', 'Send the file as it is, without a Content-Encoding.');
  }
  const sha256 = onlyHeader(request, 'X-Upload-SHA256') ?? null;
  if (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256)) throw badDigest();
  return {
    contentType: onlyHeader(request, 'Content-Type') ?? '',
    contentLength: Number(written),
    filename: onlyHeader(request, 'X-Upload-Filename') ?? '',
    sha256,
  };
}

/** @throws ProtectedError 413, or 400 for an empty file. */
export function requireSize(bytes: number, at?: readonly string[]): void {
  if (bytes > maxBytes) {
    const message = `The file is larger than ${maxBytes} bytes.`;
    throw refused(413, 'asset.file.maxSize', message, at, { maxBytes });
  }
  if (bytes === 0) throw refused(400, 'asset.file.empty', 'The file is empty.', at);
}

/** A media type without its parameters, in lower case: it is the same however it is written (RFC 9110, 8.3.1). */
export function mediaTypeOf(written: string): string {
  const [type = ''] = written.split(';', 1);
  return type.trim().toLowerCase();
}

/** @throws ProtectedError 415. */
export function requireType(written: string, at?: readonly string[]): ContentType {
  const type = mediaTypeOf(written);
  if (isContentType(type)) return type;
  const allowed = Object.keys(formats);
  const message = `The file must be one of ${allowed.join(', ')}.`;
  throw refused(415, 'asset.file.type', message, at, { allowed });
}

function isContentType(type: string): type is ContentType {
  return Object.hasOwn(formats, type);
}

/** Whether a name can be a file's anywhere, and stand in a header. */
export function isFilename(name: string): boolean {
  return (
    /^[\x20-\x7e]{1,255}$/.test(name) && !/[/\\]/.test(name) && name.trim() === name && !/^\.+$/.test(name)
  );
}

function onlyHeader(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  if (values.length > 1) throw badHeader(name, 'Send this header once.');
  return values[0];
}

function badDigest(): ProtectedError {
  return badHeader('X-Upload-SHA256', 'This must be the SHA-256 of the file, 64 lowercase hex digits.');
}

function badHeader(name: string, message: string): ProtectedError {
  return invalid(`${name}: ${message}`, [{ code: 'header.invalid', message, path: [name] }]);
}
