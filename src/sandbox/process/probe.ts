import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { schemaNumber } from '../data-folder.ts';
import { parseJson } from '../files.ts';
import { systemCode } from '../sandbox-error.ts';
import { type Hello, helloFacts, helloPath, type ProcessState, proofHeader, stopPath } from './handshake.ts';
import type { FolderIdentity } from './identity.ts';
import { loopback } from './port.ts';

/** What holds a port. */
type ProbeResult =
  | { readonly kind: 'verified'; readonly hello: Hello }
  /** Nothing listens there. */
  | { readonly kind: 'closed' }
  /** Something listens but gave no answer that can be verified: it may be busy, or just ending. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'foreign'; readonly holder: string };

type VerifiedHello = Extract<ProbeResult, { kind: 'verified' | 'foreign' }>;

/**
 * Asks what holds a port, and accepts only an answer that is proven with the data folder's secret.
 * @param join whether the caller is going to use the catalogue, which prevents its end for idleness.
 */
export async function probePort(
  port: number,
  identity: FolderIdentity,
  options: { join?: boolean; signal?: AbortSignal | undefined } = {},
): Promise<ProbeResult> {
  const nonce = randomBytes(32).toString('hex');
  const query = `?nonce=${nonce}${options.join === true ? '&join=1' : ''}`;
  const reply = await requestLoopback(port, {
    method: 'GET',
    path: helloPath + query,
    headers: { [proofHeader]: identity.prove('join', [nonce]) },
    signal: options.signal,
  });
  switch (reply.kind) {
    case 'closed':
    case 'silent':
      return { kind: reply.kind };
    case 'foreign':
      return foreign('another program');
    case 'answer':
      return reply.status === 200
        ? verifyHello(reply.body, nonce, port, identity)
        : foreign('another web server');
  }
}

/**
 * Asks a verified catalogue to drain and end.
 * @returns whether it agreed.
 */
export async function requestStop(port: number, identity: FolderIdentity, hello: Hello): Promise<boolean> {
  const proof = identity.prove('stop', [hello.instance]);
  const reply = await requestLoopback(port, {
    method: 'POST',
    path: stopPath,
    headers: { [proofHeader]: proof },
  });
  return reply.kind === 'answer' && reply.status === 202;
}

function verifyHello(body: string, nonce: string, port: number, identity: FolderIdentity): VerifiedHello {
  const found = parseHello(body);
  if (found === null) return foreign('another web server');
  const { proof, ...hello } = found;
  if (hello.dataId !== identity.dataId) return foreign('the embedded catalogue of another data folder');
  if (!identity.isProof(proof, 'hello', helloFacts(nonce, hello))) {
    return foreign('a program that says it is this catalogue but does not know its secret');
  }
  if (new URL(hello.baseUrl).port !== String(port)) return foreign('a program that passes requests on');
  if (hello.schema !== schemaNumber)
    return foreign(`another version of the catalogue (layout ${hello.schema})`);
  return { kind: 'verified', hello };
}

/**
 * The `{base_url}` at which a catalogue of any data folder claims to answer, null where none does. The claim
 * is not proven: use it for messages to a person only.
 */
export async function claimedBaseUrl(port: number): Promise<string | null> {
  const path = `${helloPath}?nonce=${randomBytes(32).toString('hex')}`;
  const reply = await requestLoopback(port, { method: 'GET', path });
  if (reply.kind !== 'answer' || reply.status !== 200) return null;
  return parseHello(reply.body)?.baseUrl ?? null;
}

function foreign(holder: string): Extract<VerifiedHello, { kind: 'foreign' }> {
  return { kind: 'foreign', holder };
}

const states: readonly ProcessState[] = ['ready', 'draining'];

function parseHello(body: string): (Hello & { readonly proof: string }) | null {
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [dataId, instance, baseUrl] = ['dataId', 'instance', 'baseUrl'].map((name) => fields.get(name));
  const [proof, schema, pid] = ['proof', 'schema', 'pid'].map((name) => fields.get(name));
  const state = states.find((name) => name === fields.get('state'));
  if (typeof dataId !== 'string' || typeof instance !== 'string' || typeof proof !== 'string') return null;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || state === undefined) return null;
  if (typeof schema !== 'number' || typeof pid !== 'number') return null;
  return { dataId, schema, instance, pid, baseUrl, state, proof };
}

/** The result of a request to a program that is not known yet. */
type LoopbackReply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'closed' }
  | { readonly kind: 'silent' }
  /** No HTTP, or far more than requested. */
  | { readonly kind: 'foreign' };

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMs = 5_000;
const maxBytes = 16_384;

/**
 * Sends one HTTP request to a loopback port whose holder is not known yet: it may be silent, endless or no
 * HTTP server at all. Throws only when `signal` aborts.
 */
export async function requestLoopback(port: number, question: Question): Promise<LoopbackReply> {
  question.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = question.signal === undefined ? timeout : AbortSignal.any([timeout, question.signal]);
  try {
    const response = await send(port, question, signal);
    return await readAnswer(response);
  } catch (error) {
    question.signal?.throwIfAborted();
    const code = systemCode(error);
    if (code === 'ECONNREFUSED') return { kind: 'closed' };
    if (code?.startsWith('HPE_') === true) return { kind: 'foreign' };
    // Timeouts, resets and early ends: a busy or ending holder can cause each of them.
    if (timeout.aborted || code !== null) return { kind: 'silent' };
    throw error;
  }
}

function send(port: number, question: Question, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, path, headers } = question;
    httpRequest({ host: loopback, port, method, path, headers, signal, agent: false })
      .once('response', resolve)
      .on('error', reject)
      .end();
  });
}

async function readAnswer(response: IncomingMessage): Promise<LoopbackReply> {
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    body += chunk;
    if (body.length > maxBytes) return { kind: 'foreign' };
  }
  return { kind: 'answer', status: response.statusCode ?? 0, body };
}
