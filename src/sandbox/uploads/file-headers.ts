import type { IncomingMessage } from 'node:http';
import { invalidRequest, ProtectedError, refusal } from '../me/protected-error.ts';
import { type ContentType, formats, maxBytes } from './limits.ts';

/** The checked headers of an upload (the interface document, Single-Asset upload). */
export interface DeclaredFile {
  readonly contentType: ContentType;
  readonly contentLength: number;
  readonly filename: string;
  /** Lowercase hex; null where the request does not need it. */
  readonly sha256: string | null;
}

/** The same headers before their values are checked. */
export interface FileHeaders {
  readonly contentType: string;
  readonly contentLength: number;
  readonly filename: string;
  readonly sha256: string | null;
}

/**
 * Reads the headers of a single upload, before its body. `validateFile` checks what they declare.
 * @throws ProtectedError 411 without a length, 415 for an encoded body, 400 for any other missing or wrong
 *   header.
 */
export function readUploadHeaders(request: IncomingMessage): FileHeaders & { readonly sha256: string } {
  const { contentLength, contentType, filename, sha256 } = readFileHeaders(request);
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
export function validateFile(written: FileHeaders): DeclaredFile {
  requireSize(written.contentLength);
  return { ...written, contentType: requireType(written.contentType) };
}

/**
 * Reads the headers of any upload. The digest is optional.
 * @throws ProtectedError 411 without a length, 415 for an encoded body, 400 for a repeated header or an
 *   invalid digest.
 */
export function readFileHeaders(request: IncomingMessage): FileHeaders {
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
    throw refusal(413, 'asset.file.maxSize', message, at, { maxBytes });
  }
  if (bytes === 0) throw refusal(400, 'asset.file.empty', 'The file is empty.', at);
}

/** A media type without parameters, in lower case: its case has no meaning (RFC 9110, 8.3.1). */
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
  throw refusal(415, 'asset.file.type', message, at, { allowed });
}

function isContentType(type: string): type is ContentType {
  return Object.hasOwn(formats, type);
}

/** Whether a name is valid on every file system and in a header. */
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
  return invalidRequest(`${name}: ${message}`, [{ code: 'header.invalid', message, path: [name] }]);
}
