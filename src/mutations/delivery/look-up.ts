import type { Call } from '../../catalogue/request-time.ts';
import { ArtworkError } from '../../errors.ts';
import type { EntryView } from '../../ledger/entry-view.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { storeReceipt } from '../stored-receipt.ts';
import type { AccountLedger } from '../session.ts';
import { rehydrateMutation } from '../operations/find-operation.ts';
import { releaseBlobsOfEnded } from './release-blobs.ts';
import type { Finding } from '../finding.ts';

/**
 * - `ended`: the service says how it ended, and so does the ledger now.
 * - `working`: the service has it.
 * - `absent`: the service shows nothing of it, which proves nothing.
 * - `never`: no look can tell more.
 * - `unasked`: the service could not be asked.
 */
export type LookupFinding = 'ended' | 'working' | 'absent' | 'never' | 'unasked';

export interface LookupResult {
  readonly finding: LookupFinding;
  readonly view: EntryView;
  readonly observed: Observations;
}

/** Looks at the service for what became of a mutation, and records what it says for certain enough. */
export async function lookUpMutation(
  { ports, ledger, scope }: AccountLedger,
  view: EntryView,
  call: Call,
): Promise<LookupResult> {
  const { entry } = view;
  const mutation = rehydrateMutation(entry);
  if (mutation === null) {
    const says = 'It was made by a newer version of this program, which has to be asked.';
    return told('never', view, { found: 'nothing', by: 'lookup', says, final: true });
  }
  let finding: Finding;
  try {
    const { progress, names } = entry;
    finding = await mutation.find({ owned: ports.owned, progress, names, call });
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category === 'cancelled') throw error;
    const says = `The service could not be asked: ${error.message}`;
    return told('unasked', view, { found: 'nothing', by: mutation.looksBy, says, final: false }, error);
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

function told(
  kind: LookupFinding,
  view: EntryView,
  finding: Exclude<Finding, { found: 'ended' }>,
  error?: ArtworkError,
): LookupResult {
  const evidence =
    finding.found === 'working'
      ? finding.kept.evidence
      : { by: finding.by, certainty: finding.certainty ?? ('unknown' as const), says: finding.says };
  const items = finding.found === 'working' ? finding.kept.items : undefined;
  const looked = { evidence, final: kind === 'never', working: kind === 'working', items };
  return { finding: kind, view, observed: { lookup: looked, error } };
}
