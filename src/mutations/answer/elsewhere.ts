import { missingScopes } from '../../catalogue/authorization.ts';
import { readUploadStatus, uploadStatus } from '../../catalogue/records/owned.ts';
import type { Submission, SubmissionItem, SubmissionKind } from '../../catalogue/submission.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Session } from '../account.ts';
import type { Finding } from '../finding.ts';
import { nameOfService, typedId } from '../names.ts';
import { operationOfSubmissions } from '../operations/find-operation.ts';
import { findingOfSubmission, storedItemOfSubmission, withSetRevision } from '../operations/lookups.ts';
import { lookUpUpload } from '../operations/upload-lookups.ts';
import type { MutationPorts, PublicReads } from '../ports.ts';
import {
  type ItemPage,
  type ItemReport,
  MutationError,
  type MutationResult,
  type Touched,
} from '../result.ts';
import { pollUntilEnded } from '../run/look-up.ts';
import { firstItems, pageOfItems } from './items.ts';
import { situationOfFailed } from './situation.ts';
import { nextIn, type Situation } from './table.ts';

/**
 * An id that this ledger does not know may be an upload of another machine. What the service says of it is told, and
 * nothing is written down: what was meant by it this ledger can't tell.
 * @throws MutationError `not_found` where the service knows no upload of this id either
 */
export async function statusOfForeignUpload(
  { ports, service, account, deadline }: Session,
  clientMutationId: string,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const finding = mayAsk
    ? await pollUntilEnded(
        ports,
        deadline,
        () => lookUpUpload(ports.owned, clientMutationId, deadline),
        ({ found }) => found !== 'working',
      )
    : null;
  if (finding === null || finding.found === 'nothing') {
    const asked = mayAsk
      ? 'the service has no upload of this id now'
      : 'the service could not be asked for it without assets:write or assets:replace';
    const message = `This machine's ledger does not know the id for the connected account, and ${asked}.`;
    const next = nextIn({ is: 'not known anywhere' });
    throw new MutationError('not_found', message, { clientMutationId, next });
  }
  const outcome = finding.found === 'ended' && finding.outcome !== 'partial' ? finding.outcome : 'processing';
  const next = nextIn({ is: finding.found === 'ended' ? 'over' : 'worked on elsewhere' });
  return {
    outcome,
    clientMutationId,
    operation: 'upload_asset',
    service: nameOfService(service),
    id: { kind: 'asset', id: readUploadStatus({ data: finding.kept.receipt }).assetId },
    target: { kind: 'asset' },
    ...toldBy(finding),
    ...(next === undefined ? {} : { next }),
  };
}

/** What every answer says of what the service shows. */
function toldBy(seen: Finding) {
  if (seen.found === 'nothing') return {};
  const { receipt, updatedAt, publicationStatus, evidence, warnings } = seen.kept;
  const error = seen.found === 'ended' ? seen.error : undefined;
  return {
    receipt,
    ...(updatedAt === null ? {} : { updatedAt }),
    ...(publicationStatus === null ? {} : { publicationStatus }),
    evidence,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}

/** A submission as the service knows it. */
export interface AskedSubmission {
  readonly submissionId: string;
  readonly kind: SubmissionKind;
}

/** As ItemReport, with as much of the declaration as the service shows. */
type ShownItem = Omit<ItemReport, 'slot' | 'target'> &
  Partial<Pick<ItemReport, 'slot'>> & { readonly target?: Touched };

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
  { ports, service, ledger, scope, deadline }: Session,
  { submissionId: id, kind }: AskedSubmission,
  page: ItemPage | undefined,
): Promise<SubmissionReport> {
  const found = await pollUntilEnded(
    ports,
    deadline,
    () => ports.owned.findSubmission(kind, id, deadline),
    (seen) => page !== undefined || (seen?.state !== 'open' && seen?.state !== 'unresolved'),
  );
  if (found === null) {
    const message = `The service knows no submission ${id} of kind ${kind} for the connected account now.`;
    throw new ArtworkError('not_found', message, { next: nextIn({ is: 'no such submission', kind }) });
  }
  const { state, mutationId, setId } = found;
  const seen = await findingOf(ports, found, deadline);
  const title = seen.found === 'nothing' ? undefined : seen.kept.title;
  // The Set, where the service says which.
  const target = setId === null ? { kind: 'submission', id } : { kind: 'set', id: typedId('set', setId) };
  const outcome = outcomeOfFinding(seen, state);
  const known = mutationId === null ? null : await ledger.read(scope, mutationId.toLowerCase());
  const own = known?.entry.clientMutationId ?? null;
  const next = nextIn(situationOfSubmission(kind, outcome, own, seen));
  return {
    outcome,
    submissionId: id,
    kind,
    ...(mutationId === null ? {} : { clientMutationId: mutationId }),
    operation: operationOfSubmissions(kind),
    service: nameOfService(service),
    id: { ...target, ...(title === undefined ? {} : { title }) },
    target,
    ...toldBy(seen),
    ...pageOfItems(
      found.items.flatMap((item) => shownItem(item, ports.catalogue)),
      page ?? firstItems,
    ),
    ...(next === undefined ? {} : { next }),
  };
}

function outcomeOfFinding(seen: Finding, state: Submission['state']): MutationResult['outcome'] {
  if (seen.found === 'ended') return seen.outcome;
  return state === 'unresolved' ? 'unresolved' : 'processing';
}

/** What the service shows of it; of one that has ended with the Set as it is now. */
async function findingOf({ owned }: MutationPorts, found: Submission, deadline: Deadline): Promise<Finding> {
  return withSetRevision(findingOfSubmission(found, null), found, owned, deadline);
}

function shownItem(item: SubmissionItem, { nameOf }: Pick<PublicReads, 'nameOf'>): ShownItem[] {
  const { filename, target, slot } = item;
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

function situationOfSubmission(
  kind: SubmissionKind,
  outcome: MutationResult['outcome'],
  own: string | null,
  seen: Finding,
): Situation {
  switch (outcome) {
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return situationOfFailed(
        operationOfSubmissions(kind),
        outcome,
        seen.found === 'nothing' ? [] : seen.kept.items,
      );
    case 'processing':
    case 'unresolved':
      return own === null
        ? { is: 'submission elsewhere', unconfirmed: outcome === 'unresolved' }
        : { is: 'asked by submission', clientMutationId: own };
    case 'succeeded':
    case 'dry_run':
      return { is: 'over' };
  }
}
