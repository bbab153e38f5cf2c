import v8 from 'node:v8';

// V8 reads these flags whenever it is about to let its heap grow, so they can be set while a process runs.

/**
 * For a process that runs for as long as its host is open: V8 would let the space for new objects grow to 32 MB and
 * more, and keep it, half as much again as the whole server takes.
 */
export function keepHeapSmall(): void {
  v8.setFlagsFromString('--semi-space-growth-factor=1');
}

/** Runs `work`, of which each step leaves much behind, with a heap that is cleaned up before it has grown by half. */
export async function withSmallHeap<Value>(work: () => Promise<Value>): Promise<Value> {
  v8.setFlagsFromString('--heap-growing-percent=40');
  try {
    return await work();
  } finally {
    // As V8 sees fit again.
    v8.setFlagsFromString('--heap-growing-percent=0');
  }
}
