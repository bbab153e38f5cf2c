import { readFileSync } from 'node:fs';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Resident memory of a process in MB; Linux only, else null. */
export function residentMemory(pid) {
  return process.platform === 'linux' ? memoryFigure(pid, 'VmRSS') : null;
}

function memoryFigure(pid, name) {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'utf8'),
  )?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/**
 * Seconds of processor time, user and system, to a hundredth: of a process itself with all its threads, and of those
 * that it started and that have ended. They say more than the clock where other programs run too. Linux only, else NaN.
 */
export function processorSeconds(pid) {
  if (process.platform !== 'linux') return { own: Number.NaN, ended: Number.NaN };
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) /s);
  const [user, system, endedUser, endedSystem] = fields.split(' ').slice(11, 15).map(Number);
  return { own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
}

export function rounded(value, digits = 1) {
  return value === null ? 'not measured' : value.toFixed(digits);
}
