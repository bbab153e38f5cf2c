/** All files together, in bytes, however many are sent at once: three of the largest that the document tells of. */
const room = 64 * 1024 * 1024;

let taken = 0;

/** Memory for a whole file. */
export interface HeldBytes {
  readonly buffer: Buffer;
  /** Gives the room back. Harmless when repeated. */
  giveBack(): void;
}

/**
 * Memory for a file that is read once, hashed, and sent from there: half the work of reading and hashing it
 * twice, and nobody can change it on the way.
 * @returns null where there is no room for it: then the file is read again
 */
export function holdBytes(length: number): HeldBytes | null {
  if (taken + length > room) return null;
  taken += length;
  let given = false;
  return {
    buffer: Buffer.allocUnsafeSlow(length),
    giveBack() {
      if (!given) taken -= length;
      given = true;
    },
  };
}
