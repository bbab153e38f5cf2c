import { ArtworkError } from '../../errors.ts';
import type { Call } from '../../catalogue/client.ts';
import type { FillerPorts } from './ports.ts';

/** How long what the connected account owns is fresh, ms. */
const freshFor = 24 * 60 * 60_000;

/**
 * Reads what the connected account owns, as far as it can be listed: Sets and groups that artwork can go into, and
 * what was uploaded from this machine. Nothing, where no account is connected or the sign-in would have to be renewed:
 * that is left to calls that a caller waits for.
 * @param turn waits until one more request may be sent; false: no more
 */
export async function readOwnTitles(
  { own, index, clock, user, log }: FillerPorts,
  fullSince: number,
  turn: () => Promise<boolean>,
  call: Call,
): Promise<void> {
  if (own === null) return;
  const noteName = `own ${user}`;
  const before = Number((await index.note(noteName)) ?? Number.NaN);
  const now = clock.now();
  if (before >= fullSince && now - before < freshFor && before <= now) return;
  try {
    if (!(await own.ready())) return;
    const since = before >= fullSince ? before : null;
    const reads = [
      ...own.destinations,
      ...(await own.uploads(since)).map((id) => (with_: Call) => own.readAsset(id, with_)),
    ];
    for (const read of reads) {
      if (!(await turn())) return;
      await readOne(read, call, log);
    }
  } catch (error) {
    // Without it the catalogue is still read; the next reading tries again.
    if (!(error instanceof ArtworkError)) throw error;
    log.debug(`What the account owns was not read for the index of titles: ${error.message}`);
    return;
  }
  await index.setNote(noteName, String(now));
}

/** One that is refused, such as for a permission that was not given, does not keep the others from being read. */
async function readOne(
  read: (call: Call) => Promise<unknown>,
  call: Call,
  log: FillerPorts['log'],
): Promise<void> {
  try {
    await read(call);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (['scope_missing', 'forbidden', 'not_found', 'bad_response'].includes(error.category)) {
      log.debug(`A record of one's own was left out of the index of titles: ${error.message}`);
    } else throw error;
  }
}
