import { randomBytes } from 'node:crypto';
import {
  connectionFacts,
  type Ends,
  type Hello,
  helloFacts,
  helloPath,
  type ProcessState,
  proofHeader,
  stopPath,
} from './handshake.ts';
import { schemaNumber } from '../store/schema-number.ts';
import type { Identity } from './identity.ts';
import { askLoopback } from './ask-loopback.ts';

/** Who holds a port. */
export type Greeting =
  /** `older`: an earlier version of this program, which can't bind its proofs to connections. */
  | { readonly kind: 'ours'; readonly hello: Hello; readonly older: boolean }
  /** Nothing listens there. */
  | { readonly kind: 'nobody' }
  /** Something listens, but an answer that could be judged did not come: it may be busy, or just ending. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'stranger'; readonly who: string };

type Judged = Extract<Greeting, { kind: 'ours' | 'stranger' }>;

/**
 * Asks who holds a port, and believes only an answer proven with the data folder's secret.
 * @param join whether the asker is going to use the catalogue, which keeps it from ending for idleness.
 */
export async function greet(
  port: number,
  identity: Identity,
  options: { join?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<Greeting> {
  const nonce = randomBytes(32).toString('hex');
  const query = `?nonce=${nonce}${options.join === true ? '&join=1' : ''}`;
  const reply = await askLoopback(port, { method: 'GET', path: helloPath + query, signal: options.signal });
  switch (reply.kind) {
    case 'nobody':
    case 'silent':
      return { kind: reply.kind };
    case 'stranger':
      return stranger('another program');
    case 'answer':
      return reply.status === 200 ? judge(reply.body, nonce, port, identity) : stranger('another web server');
  }
}

/** Tells a catalogue that was greeted to drain and end. @returns whether it agreed. */
export async function askToStop(port: number, identity: Identity, hello: Hello): Promise<boolean> {
  const proof = identity.prove('stop', [hello.instance]);
  const reply = await askLoopback(port, {
    method: 'POST',
    path: stopPath,
    headers: { [proofHeader]: proof },
  });
  return reply.kind === 'answer' && reply.status === 202;
}

/** Believes what is proven; with `ends`, what is proven on just this connection. */
export function judge(
  body: string,
  nonce: string,
  port: number,
  identity: Identity,
  ends: Ends | null = null,
): Judged {
  const found = parseHello(body);
  if (found === null) return stranger('another web server');
  const { proof, bound, ...hello } = found;
  if (hello.dataId !== identity.dataId) return stranger('the embedded catalogue of another data folder');
  if (!identity.isProof(proof, 'hello', helloFacts(nonce, hello))) {
    return stranger('a program that says it is this catalogue but does not know its secret');
  }
  if (new URL(hello.baseUrl).port !== String(port)) return stranger('a program that passes requests on');
  if (hello.schema !== schemaNumber)
    return stranger(`another version of the catalogue (layout ${hello.schema})`);
  const older = bound === null;
  if (
    ends !== null &&
    !older &&
    !identity.isProof(bound, 'connection', connectionFacts(nonce, hello, ends))
  ) {
    return stranger('a program that passes requests on');
  }
  return { kind: 'ours', hello, older };
}

/**
 * The `{base_url}` at which a catalogue of any data folder says that it answers, null where none says so. The
 * holder of the port says it, and proves nothing: good for words to a person alone.
 */
export async function claimedBaseUrl(port: number): Promise<string | null> {
  const path = `${helloPath}?nonce=${randomBytes(32).toString('hex')}`;
  const reply = await askLoopback(port, { method: 'GET', path });
  if (reply.kind !== 'answer' || reply.status !== 200) return null;
  return parseHello(reply.body)?.baseUrl ?? null;
}

function stranger(who: string): Extract<Judged, { kind: 'stranger' }> {
  return { kind: 'stranger', who };
}

const states: readonly ProcessState[] = ['ready', 'draining'];

function parseHello(
  body: string,
): (Hello & { readonly proof: string; readonly bound: string | null }) | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [dataId, instance, baseUrl, proof] = ['dataId', 'instance', 'baseUrl', 'proof'].map((name) =>
    fields.get(name),
  );
  const [schema, pid] = [fields.get('schema'), fields.get('pid')];
  const state = states.find((name) => name === fields.get('state'));
  if (typeof dataId !== 'string' || typeof instance !== 'string' || typeof proof !== 'string') return null;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || state === undefined) return null;
  if (typeof schema !== 'number' || typeof pid !== 'number') return null;
  const bound = fields.get('bound');
  return {
    dataId,
    schema,
    instance,
    pid,
    baseUrl,
    state,
    proof,
    bound: typeof bound === 'string' ? bound : null,
  };
}
