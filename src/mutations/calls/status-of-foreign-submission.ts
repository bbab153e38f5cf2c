import type { Submission, SubmissionItem, SubmissionKind } from '../../catalogue/records/submission.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import type { Session } from '../session.ts';
import { nextStatus, mayHaveBeenApplied } from '../next-calls.ts';
import { pollUntilEnded } from '../delivery/poll.ts';
import type { CallClock } from '../call-clock.ts';
import type { MutationPorts, PublicReads } from '../ports.ts';
import type { ItemPage, ItemReport, MutationResult } from '../result.ts';
import {
  storedItemOfSubmission,
  storedReceiptOfSubmission,
  incompleteSubmissionError,
  withSetRevision,
} from '../operations/find-submission.ts';
import { nextAfterFailure } from '../answer/next-of-submission.ts';
import { operationOfSubmissions } from '../operations/find-operation.ts';
import { nameOfService, typedId } from '../names.ts';
import { firstItems, pageOfItems } from '../answer/report-items.ts';
import type { Finding } from '../finding.ts';

/** A submission as the service knows it. */
export interface AskedSubmission {
  readonly submissionId: string;
  readonly kind: SubmissionKind;
}

/** As ItemReport, with as much of the declaration as the service shows. */
export type ShownItem = Pick<ItemReport, 'itemId' | 'status' | 'assetId' | 'error'> &
  Partial<Pick<ItemReport, 'filename' | 'slot'>> & {
    readonly target?: { readonly kind: string; readonly id: number | string; readonly title?: string };
  };

/** What the service says of a submission, also of another machine's. `clientMutationId` is there where the service tells it. */
export type SubmissionReport = Omit<MutationResult, 'clientMutationId' | 'items'> &
  AskedSubmission & {
    readonly clientMutationId?: string;
    readonly items: readonly ShownItem[];
  };

/**
 * How a submission stands that this ledger did not make. Interface document, Recovery lookups: a submission by the
 * service's own id, which may have been admitted from another machine, or from a data folder that is lost. Reads,
 * and writes nothing down: what was meant by it this ledger can't tell.
 * @throws ArtworkError `not_found`, `scope_missing`, `forbidden`, or why the service could not be asked
 */
export async function statusOfForeignSubmission(
  { ports, service, ledger, scope, time }: Session,
  { submissionId: id, kind }: AskedSubmission,
  page: ItemPage | undefined,
): Promise<SubmissionReport> {
  const found = await pollUntilEnded(
    ports,
    time,
    () => ports.owned.findSubmission(kind, id, time.call()),
    (seen) => page !== undefined || seen === null || !isOpen(seen),
  );
  if (found === null) throw unknownThere(id, kind);
  const { state, mutationId } = found;
  const seen = await findingOf(ports, found, time);
  const { kept } = seen;
  const error = seen.found === 'ended' ? seen.error : undefined;
  const outcome = state === 'open' ? 'processing' : state;
  const known = mutationId === null ? null : await ledger.read(scope, mutationId.toLowerCase());
  const next = nextOf(kind, outcome, known === null ? null : known.entry.clientMutationId);
  return {
    outcome,
    submissionId: id,
    kind,
    ...(mutationId === null ? {} : { clientMutationId: mutationId }),
    operation: operationOfSubmissions(kind),
    service: nameOfService(service),
    id: { ...madeBy(found, id), ...(kept.title === undefined ? {} : { title: kept.title }) },
    target: madeBy(found, id),
    receipt: kept.receipt,
    ...(kept.updatedAt === null ? {} : { updatedAt: kept.updatedAt }),
    ...(kept.publicationStatus === null ? {} : { publicationStatus: kept.publicationStatus }),
    evidence: kept.evidence,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...pageOfItems(
      found.items.flatMap((item) => shownItem(item, ports.catalogue)),
      page ?? firstItems,
    ),
    ...(next === undefined ? {} : { next }),
  };
}

function isOpen({ state }: Submission): boolean {
  return state === 'open' || state === 'unresolved';
}

async function findingOf(
  { owned }: MutationPorts,
  found: Submission,
  time: CallClock,
): Promise<Exclude<Finding, { found: 'nothing' }>> {
  const { state } = found;
  const kept = storedReceiptOfSubmission(found, null);
  if (state === 'open' || state === 'unresolved') return { found: 'working', kept };
  const error = state === 'succeeded' ? undefined : incompleteSubmissionError(found, { items: [] });
  const ended = { found: 'ended', outcome: state, kept, error } as const;
  const whole = await withSetRevision(ended, found, owned, time.call());
  return whole.found === 'nothing' ? ended : whole;
}

/** The Set, where the service says which; else the submission itself. */
function madeBy({ setId }: Submission, submissionId: string) {
  return setId === null
    ? { kind: 'submission', id: submissionId }
    : { kind: 'set', id: typedId('set', setId) };
}

function shownItem(item: SubmissionItem, { nameOf }: Pick<PublicReads, 'nameOf'>): ShownItem[] {
  const { filename, target, slot } = item.declaration;
  const title = target === null ? null : nameOf(target.kind, target.id);
  return storedItemOfSubmission(item).map(({ itemId, status, assetId, error }) => ({
    itemId,
    ...(filename === null ? {} : { filename }),
    ...(target === null
      ? {}
      : {
          target: {
            kind: target.kind,
            id: typedId(target.kind, target.id),
            ...(title === null ? {} : { title }),
          },
        }),
    ...(slot === null ? {} : { slot }),
    status: status ?? 'unknown',
    ...(assetId === null ? {} : { assetId }),
    ...(error === null ? {} : { error }),
  }));
}

function nextOf(
  kind: SubmissionKind,
  outcome: MutationResult['outcome'],
  own: string | null,
): Next | undefined {
  switch (outcome) {
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return nextAfterFailure(operationOfSubmissions(kind), outcome);
    case 'processing':
    case 'unresolved': {
      if (own !== null) {
        return nextStatus(
          own,
          "It is in this machine's ledger under this id: this tells how to go on with it.",
        );
      }
      const said =
        outcome === 'unresolved'
          ? 'The service could not confirm the result itself, and may still be at work.'
          : 'The service has not finished it.';
      return {
        why: `${said} It is not in this machine's ledger, so this machine can't resume it: ask again later with the same submissionId and kind, or resume it on the machine that began it.`,
        doNot: mayHaveBeenApplied,
      };
    }
    case 'succeeded':
    case 'dry_run':
      return undefined;
  }
}

function unknownThere(submissionId: string, kind: SubmissionKind): ArtworkError {
  const other = kind === 'creation' ? 'edit' : 'creation';
  return new ArtworkError(
    'not_found',
    `The service knows no submission ${submissionId} of kind ${kind} for the connected account now.`,
    {
      next: {
        why: `A submissionId stands in the receipt that the service gave for it. It is asked for with the kind that it was made as: if this was no ${kind}, ask with kind "${other}". If it was admitted for another account, that account has to be connected.`,
      },
    },
  );
}
