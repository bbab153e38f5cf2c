/** All files together, in bytes, however many are sent at once: three of the largest that the document tells of. */
const room = 64 * 1024 * 1024;

let taken = 0;

/**
 * Room in memory for a file that is read once, hashed, and sent from there: half the work of reading and
 * hashing it twice, and nobody can change it on the way.
 * @returns what gives the room back, or null where there is none: then the file is read again
 */
export function takeRoom(bytes: number): (() => void) | null {
  if (taken + bytes > room) return null;
  taken += bytes;
  let given = false;
  return () => {
    if (!given) taken -= bytes;
    given = true;
  };
}
