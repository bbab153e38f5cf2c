import { startEmbedded } from '../sandbox/embedded.ts';

export interface Service {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** The service that ARTWORK_CONTRACT_BASE_URL names, else an embedded catalogue. */
export async function startService(): Promise<Service> {
  const named = process.env.ARTWORK_CONTRACT_BASE_URL;
  if (named) return { baseUrl: named.replace(/\/$/, ''), stop: async () => {} };
  const { sandbox, stop } = await startEmbedded();
  return { baseUrl: sandbox.baseUrl, stop };
}
