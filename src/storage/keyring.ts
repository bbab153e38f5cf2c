import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { storeError } from './store-error.ts';

/** Keeps one secret per account. Every method rejects where the keyring can't be reached. */
export interface Keyring {
  write(account: string, secret: string): Promise<void>;
  read(account: string): Promise<string | null>;
  remove(account: string): Promise<void>;
}

/** ms: long enough for a person to unlock a keyring, short enough for a host that waits for an answer. */
const limit = 20_000;
const service = 'artwork-mcp';

// `store` is set because the package would fall back to the kernel's keyring on Linux, which the machine loses when it
// restarts. The answer is JSON.
const program = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const { module, service, action, account, secret } = JSON.parse(Buffer.concat(chunks).toString());
  const { Entry } = require(module);
  const entry = new Entry(service, account, { linux: { store: 'secret-service' } });
  if (action === 'write') entry.setPassword(secret);
  if (action === 'remove') entry.deleteCredential();
  const value = action === 'read' ? entry.getPassword() : null;
  process.stdout.write(JSON.stringify({ value }));
});`;

/**
 * The operating system's keyring. Each call runs in a process of its own, which is killed after 20 s: the keyring may
 * wait for a person for ever, and a native call that hangs in this process would keep it from exiting. Only that process
 * loads the package, so it costs nothing until a secret is needed.
 */
export function systemKeyring(timeout: number = limit): Keyring {
  const ask = (action: string, account: string, secret: string | null) =>
    new Promise<string | null>((resolve, reject) => {
      const child = execFile(
        process.execPath,
        ['-e', program],
        { timeout, killSignal: 'SIGKILL', windowsHide: true, maxBuffer: 64 * 1024 },
        (error, stdout) => {
          // The child's error is dropped: its output may hold the secret.
          if (error === null) resolve(answered(stdout));
          else reject(unreachable(error.killed === true));
        },
      );
      child.stdin?.on('error', () => undefined); // A child that died early is reported by its exit.
      try {
        const module = createRequire(import.meta.url).resolve('@napi-rs/keyring');
        child.stdin?.end(JSON.stringify({ module, service, action, account, secret }));
      } catch {
        // The package is optional on some platforms: without it there is no keyring.
        child.stdin?.end();
      }
    });
  return {
    async write(account, secret) {
      await ask('write', account, secret);
    },
    read: (account) => ask('read', account, null),
    async remove(account) {
      await ask('remove', account, null);
    },
  };
}

function answered(output: string): string | null {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw unreachable(false); // The parser's message would quote the output.
  }
  if (typeof answer !== 'object' || answer === null || !('value' in answer)) throw unreachable(false);
  if (answer.value !== null && typeof answer.value !== 'string') throw unreachable(false);
  return answer.value;
}

function unreachable(late: boolean) {
  return storeError(
    'key_unreachable',
    late ? 'The keyring did not answer in time.' : "The system's keyring can't be reached.",
  );
}
