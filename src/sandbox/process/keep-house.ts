import { SandboxError } from '../sandbox-error.ts';
import { limitLog } from './log-file.ts';
import { storedPort } from './port.ts';

interface House {
  readonly dataDir: string;
  readonly port: number;
  readonly idleSeconds: number | null;
  say(line: string): void;
  end(why: string): void;
}

const longestPauseMs = 10_000;

/**
 * Looks after a running catalogue from time to time: ends it when nobody has used it for a while (never
 * while work is pending), or when its folder is gone or has another port by now, since launchers look for
 * it there; and limits its log.
 * @returns what ends the looking after.
 */
export function keepHouse(house: House, use: () => { idleMs: number; pending: number }): () => void {
  const { idleSeconds } = house;
  const idleLimitMs = idleSeconds === null ? Number.POSITIVE_INFINITY : idleSeconds * 1000;
  const look = () => {
    const { idleMs, pending } = use();
    if (pending === 0 && idleMs >= idleLimitMs) house.end(`nobody used it for ${idleSeconds} seconds`);
    else checkFolder(house).catch((error: unknown) => house.say(`Housekeeping failed: ${String(error)}`));
  };
  const timer = setInterval(look, Math.min(longestPauseMs, Math.max(50, idleLimitMs / 4)));
  return () => clearInterval(timer);
}

async function checkFolder({ dataDir, port, end }: House): Promise<void> {
  await limitLog(dataDir);
  try {
    if ((await storedPort(dataDir)) !== port) end('its data folder has another port, or is gone');
  } catch (error) {
    // Somebody is just editing the port file, or broke it: the next launcher says so.
    if (!(error instanceof SandboxError)) throw error;
  }
}
