import type { SendOutcome } from '../../catalogue/send-outcome.ts';
import { sendFile } from '../../catalogue/requests/request.ts';
import type { SendRequest } from '../../catalogue/send.ts';
import type { StreamBody } from '../../wire/stream-body.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import { callCancelledError } from '../call-clock.ts';
import type { Delivery } from './delivery.ts';

/** Another process holds the lease now: nothing was sent, and nothing may be. */
export interface Lost {
  readonly lost: EntryView;
}

/** For an answer that the service takes its time with, ms. */
const answerMs = 60_000;
/** The slowest line that an upload is still given up on only by the service, bytes per ms. */
const slowest = 16;

/** Moves the entry to `sending` and sends the request once, if the entry still is this call's. */
export async function sendOnce(delivery: Delivery): Promise<SendOutcome | Lost> {
  const stop = delivery.signals.cancelled;
  let prepared: Prepared;
  try {
    prepared = prepare(delivery, stop);
  } catch (error) {
    if (error instanceof ArtworkError) return { outcome: 'not_sent', error };
    throw error;
  }
  if (stop.aborted) return { outcome: 'not_sent', error: callCancelledError() };
  const { isHolder, view } = await delivery.ledger.send(delivery.lease);
  if (!isHolder) return { lost: view };
  const { request, signal, release } = prepared;
  try {
    return await delivery.ports.send(request, {
      signal,
      deadlineMs: answerMs + request.body.length / slowest,
    });
  } finally {
    release();
  }
}

interface Prepared {
  readonly request: SendRequest;
  readonly signal: AbortSignal;
  /** Stops listening to the wishes. */
  release(): void;
}

function prepare(delivery: Delivery, stop: AbortSignal): Prepared {
  const { outgoing, signals } = delivery;
  const request = outgoing.mutation.request();
  const body = outgoing.body(stop);
  const token = delivery.bearer.token.reveal();
  if (request.body.kind === 'json' || Buffer.isBuffer(body)) {
    const { path, query, headers } = request;
    const { 'Content-Length': _, ...rest } = headers;
    const sent = { path, query, headers: rest, body, bearer: token };
    return { request: sent, signal: signals.closing, release: () => {} };
  }
  const { body: watched, signal, release } = stopWhileIncomplete(body, delivery);
  return { request: sendFile({ ...request, body: request.body }, watched, token), signal, release };
}

/**
 * A body that a cancelled call takes back only as long as its last chunk has not been handed over: until then
 * the service can't apply it, after that the answer is worth waiting for.
 */
function stopWhileIncomplete(body: StreamBody, { signals, progress }: Delivery) {
  const stopping = new AbortController();
  let complete = false;
  const stop = () => {
    if (!complete || signals.closing.aborted) stopping.abort('stopped');
  };
  const heard = [signals.cancelled, signals.closing];
  for (const signal of heard) signal.addEventListener('abort', stop);
  async function* open() {
    let sent = 0;
    for await (const chunk of body.open()) {
      sent += chunk.length;
      progress(sent, body.length, 'uploading');
      yield chunk;
    }
    complete = true;
  }
  const release = () => {
    for (const signal of heard) signal.removeEventListener('abort', stop);
  };
  return { body: { length: body.length, open }, signal: stopping.signal, release };
}
