import { inspect } from 'node:util';

const mask = '[secret]';

/**
 * A token, a client secret, a verifier or a nonce. However an object that holds one is printed, what it
 * holds does not show; only `reveal` gives it out, where it is put on the wire or sealed.
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
