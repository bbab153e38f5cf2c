import { createHash } from 'node:crypto';

/**
 * The id of an item that was given none: UUIDv5 (RFC 9562) of the mutation's id and the item's place in the
 * call, so that the same call is the same intent.
 */
export function deriveItemId(clientMutationId: string, index: number): string {
  return deriveUuid(clientMutationId, String(index));
}

/** UUIDv5 (RFC 9562) of a name within what another UUID stands for: the same ones give the same id. */
export function deriveUuid(within: string, name: string): string {
  const namespace = Buffer.from(within.replaceAll('-', ''), 'hex');
  const digest = createHash('sha1').update(namespace).update(name).digest();
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
