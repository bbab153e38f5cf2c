import { inspect } from 'node:util';

const mask = '[secret]';

/**
 * A token, a client secret, a verifier or a nonce. Printing an object that holds one shows a mask; only `reveal` answers
 * the value, for a request or for sealing.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
