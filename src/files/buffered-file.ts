import { chunkBytes } from './chunks.ts';

/** All files together, in bytes, however many are sent at once: three of the largest that the document tells of. */
const room = 64 * 1024 * 1024;
/** How long memory is kept for the next file, ms. */
const restMs = 1_000;

let taken = 0;
/** Memory that was given back. Making it anew for each of many files costs more than reading them. */
let spare: Buffer[] = [];
let rest: NodeJS.Timeout | undefined;

/** Memory for a whole file. */
export interface BufferedFile {
  readonly buffer: Buffer;
  /**
   * Gives the room back. Harmless when repeated. `again`: the memory is not read any more, so that another file
   * may have it.
   */
  giveBack(again: boolean): void;
}

/**
 * Memory for a file that is read once, hashed, and sent from there: half the work of reading and hashing it
 * twice, and no other program can change it meanwhile.
 * @returns null where there is no room for it: then the file is read again
 */
export function reserveBuffer(length: number): BufferedFile | null {
  const size = Math.ceil(length / chunkBytes) * chunkBytes;
  if (taken + size > room) return null;
  taken += size;
  const whole = takeSpare(size) ?? Buffer.allocUnsafeSlow(size);
  let given = false;
  return {
    buffer: whole.subarray(0, length),
    giveBack(again) {
      if (given) return;
      given = true;
      taken -= size;
      if (again) putSpare(whole);
    },
  };
}

function takeSpare(size: number): Buffer | undefined {
  const found = spare.find((one) => one.length === size);
  if (found !== undefined) spare = spare.filter((one) => one !== found);
  // What is held and what is spare together stay within the room.
  let left = room - taken;
  spare = spare.filter((one) => {
    left -= one.length;
    return left >= 0;
  });
  return found;
}

function putSpare(whole: Buffer): void {
  spare.push(whole);
  clearTimeout(rest);
  rest = setTimeout(() => {
    spare = [];
  }, restMs).unref();
}
