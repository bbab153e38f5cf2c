import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { type BackoffLimits, createBackoff } from '../../clock.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { type Finding, nothingFound, storeReceipt } from '../finding.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import type { MutationPorts } from '../ports.ts';
import type { AccountLedger } from '../account.ts';
import type { Deadline } from '../../deadline.ts';
import { requireNotCancelled } from '../caller.ts';
import { releaseBlobsOfEnded } from '../kept-files.ts';

/**
 * - `ended`: the service says how it ended, and so does the ledger now.
 * - `working`: the service has it.
 * - `absent`: the service shows nothing of it, which proves nothing.
 * - `never`: no look can tell more.
 * - `unasked`: the service could not be asked.
 */
type LookupFinding = 'ended' | 'working' | 'absent' | 'never' | 'unasked';

export interface LookupResult {
  readonly finding: LookupFinding;
  readonly view: EntryView;
  readonly observed: Observations;
}

/** Looks at the service for what became of a mutation, and records what it says for certain enough. */
export async function lookUpMutation(
  { ports, ledger, scope }: AccountLedger,
  view: EntryView,
  deadline: Deadline,
): Promise<LookupResult> {
  const { entry } = view;
  const mutation = rehydrateMutation(entry);
  if (mutation === null) {
    const says = "What it was meant to do can't be read from the ledger.";
    return told('never', view, nothingFound('lookup', says, true));
  }
  let finding: Finding;
  try {
    const { progress, names } = entry;
    finding = await mutation.find({ owned: ports.owned, progress, names, deadline });
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    const says = `The service could not be asked: ${error.message}`;
    return told(
      'unasked',
      view,
      nothingFound(mutation.by === 'request' ? 'read_back' : 'lookup', says, false),
      error,
    );
  }
  switch (finding.found) {
    case 'ended': {
      const { outcome, kept, error } = finding;
      const said = { outcome, receipt: storeReceipt(kept), error };
      const concluded = (await ledger.conclude(scope, entry.clientMutationId, said)) ?? view;
      await releaseBlobsOfEnded(ports, concluded);
      return { finding: 'ended', view: concluded, observed: {} };
    }
    case 'working':
      return told('working', view, finding);
    case 'nothing':
      return told(finding.final ? 'never' : 'absent', view, finding);
  }
}

function told(kind: LookupFinding, view: EntryView, finding: Finding, error?: ArtworkError): LookupResult {
  return { finding: kind, view, observed: { lookup: toldOf(finding), error } };
}

/** What an answer says of a look. */
export function toldOf(finding: Finding): NonNullable<Observations['lookup']> {
  if (finding.found === 'nothing') {
    const { by, certainty = 'unknown', says, final } = finding;
    return { evidence: { by, certainty, says }, final, working: false };
  }
  const { evidence, items } = finding.kept;
  return { evidence, final: false, working: finding.found === 'working', items };
}

/** How long one call waits for news, ms. */
const newsMs = 40_000;
const pauses = { firstMs: 500, longestMs: 8_000 };

/**
 * Asks until the answer is an end, or the time for news is over; answers what was heard last.
 * @param how `reserveMs`: what is left of the call's time for the answer itself
 */
export async function pollUntilEnded<Value>(
  { clock }: Pick<MutationPorts, 'clock'>,
  deadline: Deadline,
  ask: () => Promise<Value>,
  hasEnded: (value: Value) => boolean,
  how: BackoffLimits & { readonly reserveMs: number } = { ...pauses, reserveMs: 4_000 },
): Promise<Value> {
  const until = clock.monotonic() + Math.min(newsMs, deadline.left() - how.reserveMs);
  const backoff = createBackoff(clock, how);
  for (;;) {
    const value = await ask();
    if (hasEnded(value) || clock.monotonic() + backoff.nextMs >= until) return value;
    await backoff.pause(deadline.signal);
    requireNotCancelled(deadline);
  }
}
