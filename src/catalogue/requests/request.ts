import { ArtworkError } from '../../errors.ts';
import type { Query, ServicePath } from '../path.ts';
import type { SendRequest } from '../send.ts';
import type { StreamBody } from '../../wire/stream-body.ts';
import type { JsonObject, UploadFile } from './fields.ts';

/**
 * Whether the service can tell a repetition from a second request: `documented` where the interface document
 * puts the identity on the wire, `assumed` where only we do, `none`. Only the first may ever be repeated.
 */
export type WireIdentity = 'documented' | 'assumed' | 'none';

interface RequestLine<Identity extends WireIdentity> {
  readonly method: 'POST';
  /** Below `{base_url}`. */
  readonly path: ServicePath;
  readonly query: Query;
  /** As the interface document names them; Authorization is not among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: Identity;
}

/** A request with a JSON body, its members in the document's order. */
export interface JsonRequest<Identity extends WireIdentity = WireIdentity> extends RequestLine<Identity> {
  readonly body: { readonly kind: 'json'; readonly value: JsonObject };
}

/** A request whose body is a file's bytes. */
export interface FileRequest<Identity extends WireIdentity = WireIdentity> extends RequestLine<Identity> {
  readonly body: { readonly kind: 'file'; readonly bytes: number };
}

export type MutationRequest = JsonRequest | FileRequest;

/** A request with a JSON body. */
export function jsonRequest<Identity extends WireIdentity>(
  path: ServicePath,
  value: JsonObject,
  identity: Identity,
): JsonRequest<Identity> {
  return {
    method: 'POST',
    path,
    query: {},
    headers: { 'Content-Type': 'application/json' },
    body: { kind: 'json', value },
    identity,
  };
}

/** A file as it was announced, all else in the query (interface document, Single-Asset upload and the submissions). */
export function fileRequest(
  path: ServicePath,
  query: Query,
  { contentType, contentLength, filename }: UploadFile,
): FileRequest<'documented'> {
  return {
    method: 'POST',
    path,
    query,
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(contentLength),
      'X-Upload-Filename': filename,
    },
    body: { kind: 'file', bytes: contentLength },
    identity: 'documented',
  };
}

/** The bytes that go over the wire: a request that is to be repeated to the letter is repeated with these. */
export function jsonBytes({ body }: JsonRequest): Buffer {
  return Buffer.from(JSON.stringify(body.value));
}

/**
 * A JSON request as the sender takes it, with the account's token. `kept`: the bytes of the first time, for an
 * admission that is repeated.
 */
export function sendJson(request: JsonRequest, bearer: string, kept = jsonBytes(request)): SendRequest {
  return { path: request.path, query: request.query, headers: request.headers, body: kept, bearer };
}

/**
 * A request that carries a file, as the sender takes it, with the account's token.
 * @throws ArtworkError `upload_refused` when the file is not as long as the request declares
 */
export function sendFile(request: FileRequest, file: Buffer | StreamBody, bearer: string): SendRequest {
  if (file.length !== request.body.bytes) {
    throw new ArtworkError(
      'upload_refused',
      `The file has ${file.length} bytes, but ${request.body.bytes} were declared: it changed meanwhile.`,
    );
  }
  // Set by the sender from the body itself.
  const { 'Content-Length': _, ...headers } = request.headers;
  return { path: request.path, query: request.query, headers, body: file, bearer };
}

/** What a dry run shows of a request. */
export interface ShownRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly query: Query;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON, or how many bytes of a file. */
  readonly body: JsonObject | { readonly bytesOfFile: number };
}

/** A request as a dry run shows it, without its authorization. */
export function showRequest({ method, path, query, headers, body }: MutationRequest): ShownRequest {
  return {
    method,
    path,
    query,
    headers,
    body: body.kind === 'json' ? body.value : { bytesOfFile: body.bytes },
  };
}
