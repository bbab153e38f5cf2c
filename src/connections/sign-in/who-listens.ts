import { Agent, request } from 'undici';
import { listenerName, processHeader } from './page.ts';

/** A sign-in of this program that waits at a callback, in this process or another one. */
export interface WaitingSignIn {
  /** The number of its process; null: it does not tell. */
  readonly processId: number | null;
}

/**
 * Asks who listens at a registered callback, with nothing that a sign-in ends with. Null: something else, or
 * nothing. Another program can say that it is one of ours: the answer is for words to a person, and for no more.
 */
export async function whoListens(redirectUri: string): Promise<WaitingSignIn | null> {
  const dispatcher = new Agent();
  try {
    const { headers, body } = await request(redirectUri, { dispatcher, signal: AbortSignal.timeout(5_000) });
    await body.dump();
    if (headers.server !== listenerName) return null;
    const told = headers[processHeader];
    const isNumber = typeof told === 'string' && /^[1-9]\d{0,9}$/.test(told);
    return { processId: isNumber ? Number(told) : null };
  } catch (error) {
    // It speaks no HTTP, or not with us; undici rejects with Errors only.
    if (error instanceof Error) return null;
    throw error;
  } finally {
    await dispatcher.close();
  }
}
