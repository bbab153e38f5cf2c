import { request as httpRequest, type IncomingMessage } from 'node:http';
import { systemCode } from '../sandbox-error.ts';
import { loopback } from './port.ts';

/** How a question to whoever holds a port ended. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'silent' }
  /** No HTTP, or far more than was asked for. */
  | { readonly kind: 'stranger' };

interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const patienceMs = 5_000;
const mostBytes = 16_384;

/**
 * One HTTP question to a loopback port whose holder is not known yet: it may be silent, endless or no HTTP
 * server at all. Throws only when `signal` aborts.
 */
export async function askLoopback(port: number, question: Question): Promise<Reply> {
  question.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(patienceMs);
  const signal = question.signal === undefined ? timeout : AbortSignal.any([timeout, question.signal]);
  try {
    const response = await send(port, question, signal);
    return await readAnswer(response);
  } catch (error) {
    question.signal?.throwIfAborted();
    const code = systemCode(error);
    if (code === 'ECONNREFUSED') return { kind: 'nobody' };
    if (code?.startsWith('HPE_') === true) return { kind: 'stranger' };
    // Timeouts, resets and sockets closed too early: a holder that is busy or ends can cause each of them.
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

async function readAnswer(response: IncomingMessage): Promise<Reply> {
  let body = '';
  response.setEncoding('utf8');
  for await (const chunk of response) {
    body += chunk;
    if (body.length > mostBytes) return { kind: 'stranger' };
  }
  return { kind: 'answer', status: response.statusCode ?? 0, body };
}
