import { readFileSync } from 'node:fs';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Milliseconds that it takes. */
export async function timed(work) {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Resident memory of a process in MB; Linux only, else null. */
export function residentMemory(pid) {
  if (process.platform !== 'linux') return null;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

export function rounded(value, digits = 1) {
  return value === null ? 'not measured' : value.toFixed(digits);
}
