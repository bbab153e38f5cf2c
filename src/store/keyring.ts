import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { jsonOf } from '../text.ts';
import { storeError } from './errors.ts';

/** Keeps one secret per account. Every method rejects where the keyring can't be reached. */
export interface Keyring {
  write(account: string, secret: string): Promise<void>;
  read(account: string): Promise<string | null>;
}

// `store` is set because the package would fall back to the kernel's keyring on Linux, which the machine loses when it
// restarts.
const program = `
let input = '';
process.stdin.on('data', (chunk) => { input += chunk; }).on('end', () => {
  const { module, action, account, secret } = JSON.parse(input);
  const { Entry } = require(module);
  const entry = new Entry('artwork-mcp', account, { linux: { store: 'secret-service' } });
  if (action === 'write') entry.setPassword(secret);
  const value = action === 'read' ? entry.getPassword() : null;
  process.stdout.write(JSON.stringify({ value }));
});`;

/**
 * The operating system's keyring. Each call runs in a process of its own, which is killed after `timeout` ms: the keyring
 * may wait for a person for ever, and a native call that hangs in this process would keep it from exiting. Only that
 * process loads the package, so it costs nothing until a secret is needed.
 */
export function systemKeyring(timeout = 20_000): Keyring {
  const ask = (action: string, account: string, secret: string | null) =>
    new Promise<string | null>((resolve, reject) => {
      const options = { timeout, killSignal: 'SIGKILL', windowsHide: true } as const;
      const child = execFile(process.execPath, ['-e', program], options, (error, stdout) => {
        // The child's error is dropped: its output may hold the secret.
        const answer = z.object({ value: z.string().nullable() }).safeParse(jsonOf(stdout));
        if (error === null && answer.success) resolve(answer.data.value);
        else reject(storeError('key_unreachable', "The system's keyring can't be reached."));
      });
      // A child that died early is reported by its exit.
      child.stdin?.on('error', () => undefined);
      try {
        const module = createRequire(import.meta.url).resolve('@napi-rs/keyring');
        child.stdin?.end(JSON.stringify({ module, action, account, secret }));
      } catch {
        // The package is optional on some platforms: without it there is no keyring, and the child fails.
        child.stdin?.end();
      }
    });
  return {
    write: async (account, secret) => void (await ask('write', account, secret)),
    read: (account) => ask('read', account, null),
  };
}
