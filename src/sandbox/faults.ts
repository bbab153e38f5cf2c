import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context, Processing } from './context.ts';
import type { Route } from './http.ts';

/** Failures that a test or the demo has ordered. They exist only in a catalogue that was started with them. */
export interface Faults {
  routes(context: Context): readonly Route[];
  /** `ended`: a fault has answered instead. */
  inject(context: Context, request: IncomingMessage, response: ServerResponse): Promise<'ended' | undefined>;
  processingOf(request: IncomingMessage): Processing | null;
}
