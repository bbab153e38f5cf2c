import { z } from 'zod';
import type { Context } from '../context.ts';
import { notFound, privateJson, type Route } from '../http.ts';
import { systemCode } from '../sandbox-error.ts';
import { type FolderIdentity, loopback } from './folder.ts';

const helloSchema = z.object({
  /** Of its data folder. */
  id: z.string(),
  pid: z.int(),
  baseUrl: z.url(),
});

/** What a running catalogue says about itself. */
export type Hello = z.infer<typeof helloSchema>;

const helloPath = '/.sandbox/hello';
const stopPath = '/.sandbox/stop';

/** The two requests by which a program of the same data folder finds a catalogue and ends it. */
export function handshakeRoutes({ folder: { id }, baseUrl }: Context, stop: () => void): readonly Route[] {
  return [
    {
      method: 'GET',
      path: helloPath,
      answer: () => privateJson(200, { id, pid: process.pid, baseUrl }, { connection: 'close' }),
    },
    {
      method: 'POST',
      path: stopPath,
      answer({ query, response }) {
        if (query.get('id') !== id) throw notFound('This path');
        // After the answer, so that the caller gets it.
        response.once('close', stop);
        return privateJson(202, {}, { connection: 'close' });
      },
    },
  ];
}

/** `closed`: nothing listens at the folder's port. `silent`: something listens and gives no answer. */
export type Found = Hello | 'closed' | 'silent' | 'foreign';

/** Asks who listens at the port of a data folder. An answer counts as use of the catalogue. */
export async function findCatalogue({ id, port }: FolderIdentity, signal?: AbortSignal): Promise<Found> {
  const found = await askHello(port, signal);
  return typeof found === 'object' && found.id !== id ? 'foreign' : found;
}

/** Asks the catalogue of a data folder to end. */
export async function stopCatalogue({ id, port }: FolderIdentity): Promise<void> {
  const url = `http://${loopback}:${port}${stopPath}?id=${id}`;
  // One that is ending already may cut the connection: that it has ended is what counts.
  await fetch(url, { method: 'POST', signal: AbortSignal.timeout(timeoutMs) }).catch(silenced);
}

const timeoutMs = 5_000;

/** Asks who listens at a port. Throws only when `signal` aborts. */
async function askHello(port: number, signal?: AbortSignal): Promise<Found> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(`http://${loopback}:${port}${helloPath}`, {
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    return helloSchema.safeParse(await answer.json()).data ?? 'foreign';
  } catch (error) {
    signal?.throwIfAborted();
    return error instanceof SyntaxError ? 'foreign' : silenced(error);
  }
}

/** What a request without an answer tells. `fetch` names the system's reason as the cause of its own error. */
function silenced(error: unknown): 'closed' | 'silent' {
  const code = error instanceof Error ? systemCode(error.cause) : null;
  return code === 'ECONNREFUSED' ? 'closed' : 'silent';
}

/** For a person whose port another program holds. */
export function portTaken(dataDir: string, port: number): string {
  return (
    `Port ${port} of the embedded catalogue is taken by another program. End that program, or give the data folder ` +
    `${dataDir} another port in its file folder.json; then connect anew.`
  );
}
