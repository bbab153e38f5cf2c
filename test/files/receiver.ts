import { createHash } from 'node:crypto';
import type http from 'node:http';
import { json, type Served, serve } from '../catalogue/scripted-server.ts';

/** An upload as the service saw it. */
export interface Received {
  readonly headers: http.IncomingHttpHeaders;
  bytes: number;
  /** All of the bytes that its Content-Length announced have come. */
  whole: boolean;
  sha256: string | null;
}

export interface Receiver extends Served {
  readonly received: Received[];
  /** Resolves once every upload that began has come whole or broken off. */
  settled(): Promise<void>;
}

/** A real HTTP server that takes uploads, counts and hashes them, and answers with a receipt. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const endings: Promise<void>[] = [];
  const served = await serve((request, response) => {
    const upload: Received = { headers: request.headers, bytes: 0, whole: false, sha256: null };
    received.push(upload);
    const hash = createHash('sha256');
    endings.push(new Promise((resolve) => request.once('close', resolve)));
    request.on('data', (chunk: Buffer) => {
      upload.bytes += chunk.length;
      hash.update(chunk);
    });
    request.on('error', () => undefined); // Uploads that break off are what is tested.
    request.on('end', () => {
      upload.whole = request.complete;
      upload.sha256 = hash.digest('hex');
      json(response, 201, { data: { id: 'asset', publicationStatus: 'pending' } });
    });
  });
  return {
    ...served,
    received,
    async settled() {
      await Promise.all(endings);
    },
  };
}
