import { randomUUID } from 'node:crypto';
import { dataOf, type Heard, type OwnersCatalogue } from './me-catalogue.ts';

/** A file and what is declared of it. */
export interface Declared {
  readonly itemId: string;
  readonly filename: string;
  readonly contentType: string;
  readonly contentLength: number;
  readonly bytes: Buffer;
}

export function declare(bytes: Buffer, filename = 'picture.png', contentType = 'image/png'): Declared {
  return { itemId: randomUUID(), filename, contentType, contentLength: bytes.length, bytes };
}

/** As it stands in an admission. */
export function fileOf(
  { filename, contentType, contentLength }: Declared,
  selectedSourceFrame: number | null = null,
) {
  return { filename, contentType, contentLength, selectedSourceFrame };
}

export interface SeenItem {
  readonly itemId: string;
  readonly status: string;
  readonly assetId: string | null;
  readonly error: { readonly code: string } | null;
  readonly [field: string]: unknown;
}

export interface SeenSubmission {
  readonly submissionId: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly setId: number | null;
  readonly set: { readonly id: number; readonly updatedAt: string } | null;
  readonly items: readonly SeenItem[];
  readonly [field: string]: unknown;
}

/** The submission of an answer. @throws Error when it has none. */
export function submissionOf({ status, body }: Pick<Heard, 'status' | 'body'>): SeenSubmission {
  const submission = body instanceof Object && 'submission' in body ? body.submission : null;
  if (isSubmission(submission)) return submission;
  throw new Error(`The answer (${status}) has no submission: ${JSON.stringify(body)}`);
}

function isSubmission(value: unknown): value is SeenSubmission {
  return value instanceof Object && 'submissionId' in value && typeof value.submissionId === 'string';
}

/** One family of submissions as a client speaks it. */
export class Submissions {
  readonly #catalogue: OwnersCatalogue;
  readonly #token: string;
  readonly #root: string;

  constructor(catalogue: OwnersCatalogue, token: string, root: '/me/set-uploads' | '/me/set-updates') {
    this.#catalogue = catalogue;
    this.#token = token;
    this.#root = root;
  }

  /** `changes` are made to the headers, `bytes` replaces the body. */
  send(
    id: string,
    file: Declared,
    changes: { bytes?: Buffer; headers?: Record<string, string | null>; itemId?: string } = {},
  ): Promise<Heard> {
    return this.#catalogue.upload(`${this.#root}/${id}/assets`, this.#token, {
      bytes: changes.bytes ?? file.bytes,
      contentType: file.contentType,
      query: { itemId: changes.itemId ?? file.itemId },
      headers: { 'x-upload-filename': file.filename, 'x-upload-sha256': null, ...changes.headers },
    });
  }

  async read(id: string): Promise<SeenSubmission> {
    return submissionOf(await this.#catalogue.get(`${this.#root}/${id}`, this.#token));
  }

  complete(id: string, body: unknown = {}): Promise<Heard> {
    return this.#catalogue.post(`${this.#root}/${id}/complete`, this.#token, body);
  }
}

/** The effects that carry an identity, as the names of their operations. */
export function effectsOf(catalogue: OwnersCatalogue, clientMutationId: string): string[] {
  return catalogue.database
    .all('SELECT operation FROM effects WHERE client_mutation_id = ? ORDER BY sequence', clientMutationId)
    .map((row) => row.text('operation'));
}

/** Public data. */
export async function publicData(catalogue: OwnersCatalogue, path: string): Promise<Record<string, unknown>> {
  const body: unknown = await (await fetch(catalogue.baseUrl + path)).json();
  return dataOf({ body });
}
