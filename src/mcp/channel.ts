import type { Writable } from 'node:stream';

/** The way between the host and the SDK of one era: what both SDKs take for a transport. */
export class Channel<Message> {
  onmessage?: (<Heard extends Message>(message: Heard) => void) | undefined;
  onclose?: (() => void) | undefined;
  readonly #output: Writable;

  constructor(output: Writable) {
    this.#output = output;
  }

  async start(): Promise<void> {}

  /** Resolves once the output takes more. */
  send(message: Message): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once('drain', resolve);
    });
  }

  /** Aborts what is in flight. */
  async close(): Promise<void> {
    this.onclose?.();
  }
}
