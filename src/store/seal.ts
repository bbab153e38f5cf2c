import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { storeError } from './errors.ts';
import type { SealKey } from './key.ts';

/** `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. */
const envelope = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,})$/;
const authTagLength = 16;

export type Seal = ReturnType<typeof createSeal>;

/**
 * Seals records with AES-256-GCM under a random 96-bit nonce. Each is bound to its name and generation, so that it can't
 * be put in another one's place, or in that of a later generation.
 */
export function createSeal(key: (create: boolean) => Promise<SealKey>) {
  return {
    /** @throws key_unreachable, key_missing, key_wrong and what the store throws */
    async seal(name: string, generation: string, plain: string): Promise<string> {
      const { id, secret } = await key(true);
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength });
      cipher.setAAD(binding(name, generation));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `v1.${id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
    },

    /** @throws record_tampered, key_wrong, and what `seal` throws */
    async open(name: string, generation: string, sealed: string): Promise<string> {
      const [, keyId, nonce = '', body = ''] = envelope.exec(sealed) ?? [];
      if (keyId === undefined) throw tampered();
      const { id, secret } = await key(false);
      if (keyId !== id) {
        throw storeError(
          'key_wrong',
          'A sealed record needs another key than this store has now. Connect again with --replace.',
        );
      }
      const bytes = Buffer.from(body, 'base64url');
      const end = bytes.length - authTagLength;
      const decipher = createDecipheriv('aes-256-gcm', secret, Buffer.from(nonce, 'base64url'), {
        authTagLength,
      });
      decipher.setAAD(binding(name, generation));
      decipher.setAuthTag(bytes.subarray(end));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]).toString('utf8');
      } catch (error) {
        throw tampered(error);
      }
    },
  };
}

/** JSON keeps the parts apart whatever they hold. */
function binding(name: string, generation: string): Buffer {
  return Buffer.from(JSON.stringify(['artwork-mcp', name, generation]));
}

function tampered(cause?: unknown) {
  return storeError(
    'record_tampered',
    'A sealed record is not what was stored under its name. Restore the whole data folder from a backup. Without one, connect again with --replace.',
    cause,
  );
}
