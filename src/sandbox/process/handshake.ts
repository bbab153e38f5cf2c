import { randomBytes, randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound, privateJson, type Route } from '../http.ts';
import { systemCode } from '../sandbox-error.ts';
import { type FolderIdentity, loopback } from './folder.ts';

const helloSchema = z.object({
  /** Drawn by each process, so that a request to stop one is not taken by the next. */
  instance: z.string(),
  pid: z.int(),
  baseUrl: z.url(),
  proof: z.string(),
});

/** What a running catalogue of this data folder says about itself. */
export type Hello = z.infer<typeof helloSchema>;

const helloPath = '/.sandbox/hello';
const stopPath = '/.sandbox/stop';
const proofHeader = 'x-sandbox-proof';

/**
 * The two requests by which a program of the same data folder finds a catalogue and ends it. Both sides prove that they
 * know the folder's secret.
 */
export function handshakeRoutes({ folder, baseUrl }: Context, stop: () => void): readonly Route[] {
  const instance = randomUUID();
  const isProof = (given: string | string[] | undefined, purpose: string, facts: readonly string[]) =>
    folder.isProof(String(given), purpose, facts);
  return [
    {
      method: 'GET',
      path: helloPath,
      answer({ request, query }) {
        const nonce = query.get('nonce') ?? '';
        // Anybody may know that this is an embedded catalogue; a folder's own program hears the rest.
        if (!isProof(request.headers[proofHeader], 'ask', [nonce])) return privateJson(200, { baseUrl });
        const proof = folder.prove('hello', [nonce, instance, String(process.pid), baseUrl]);
        return privateJson(200, { instance, pid: process.pid, baseUrl, proof }, { connection: 'close' });
      },
    },
    {
      method: 'POST',
      path: stopPath,
      answer({ request, response }) {
        if (!isProof(request.headers[proofHeader], 'stop', [instance])) throw notFound('This path');
        // After the answer, so that the caller gets it.
        response.once('close', stop);
        return privateJson(202, {}, { connection: 'close' });
      },
    },
  ];
}

/** `closed`: nothing listens at the folder's port. `silent`: something listens and does not answer in time. */
export type Found = Hello | 'closed' | 'silent' | 'foreign';

/** Asks who listens at the port of a data folder. An answer counts as use of the catalogue. */
export async function findCatalogue(folder: FolderIdentity, signal?: AbortSignal): Promise<Found> {
  const nonce = randomBytes(16).toString('hex');
  const answer = await ask(
    folder,
    `${helloPath}?nonce=${nonce}`,
    'GET',
    folder.prove('ask', [nonce]),
    signal,
  );
  if (typeof answer === 'string') return answer;
  const hello = helloSchema.safeParse(answer.body).data;
  if (hello === undefined || answer.status !== 200) return 'foreign';
  const { instance, pid, baseUrl, proof } = hello;
  const isOurs = folder.isProof(proof, 'hello', [nonce, instance, String(pid), baseUrl]);
  return isOurs && new URL(baseUrl).port === String(folder.port) ? hello : 'foreign';
}

/** Returns whether it agreed to end. */
export async function stopCatalogue(folder: FolderIdentity, { instance }: Hello): Promise<boolean> {
  const answer = await ask(folder, stopPath, 'POST', folder.prove('stop', [instance]));
  return typeof answer !== 'string' && answer.status === 202;
}

/** The `{base_url}` at which a catalogue of any data folder says that it answers; null where none does. */
export async function claimedBaseUrl(baseUrl: string): Promise<string | null> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'http:' || hostname !== loopback) return null;
  const answer = await ask({ port: Number(port || 80) }, helloPath, 'GET', '');
  if (typeof answer === 'string') return null;
  return helloSchema.pick({ baseUrl: true }).safeParse(answer.body).data?.baseUrl ?? null;
}

const timeoutMs = 5_000;
const maxBytes = 16_384;

/** Whoever holds the port may be silent, endless or no HTTP server at all. Throws only when `signal` aborts. */
async function ask(
  folder: Pick<FolderIdentity, 'port'>,
  path: string,
  method: string,
  proof: string,
  signal?: AbortSignal,
): Promise<'closed' | 'silent' | 'foreign' | { status: number; body: unknown }> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await send({
      ...{ host: loopback, port: folder.port, path, method, headers: { [proofHeader]: proof }, agent: false },
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk;
      if (text.length > maxBytes) return 'foreign';
    }
    return { status: answer.statusCode ?? 0, body: JSON.parse(text) };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof SyntaxError) return 'foreign';
    const code = systemCode(error);
    if (code === 'ECONNREFUSED') return 'closed';
    if (code?.startsWith('HPE_') === true) return 'foreign';
    // Time is up, or a busy or ending process has cut the connection.
    if (timeout.aborted || code !== null) return 'silent';
    throw error;
  }
}

function send(options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(options).once('response', resolve).on('error', reject).end();
  });
}

/** For a person whose port another program holds. */
export function portTaken(dataDir: string, port: number, holder: string): string {
  return (
    `Port ${port} of the embedded catalogue is taken by ${holder}. End that program, or give the data folder ${dataDir} ` +
    'another port in its file folder.json; then connect anew.'
  );
}
