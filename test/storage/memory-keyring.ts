import type { Keyring } from '../../src/storage/keyring.ts';

/** A keyring whose state a test can see and whose behaviour it can spoil. */
export interface MemoryKeyring extends Keyring {
  readonly secrets: Map<string, string>;
  calls: number;
  /** Set: every call rejects with it. */
  failure: Error | null;
  /** Set: what is read back instead. */
  answer: string | null;
}

export function memoryKeyring(): MemoryKeyring {
  const called = () => {
    keyring.calls += 1;
    if (keyring.failure !== null) throw keyring.failure;
  };
  const keyring: MemoryKeyring = {
    secrets: new Map(),
    calls: 0,
    failure: null,
    answer: null,
    async write(account, secret) {
      called();
      keyring.secrets.set(account, secret);
    },
    async read(account) {
      called();
      return keyring.answer ?? keyring.secrets.get(account) ?? null;
    },
    async remove(account) {
      called();
      keyring.secrets.delete(account);
    },
  };
  return keyring;
}
