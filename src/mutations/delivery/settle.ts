import { protectedError } from '../../catalogue/authorization.ts';
import { readReceipt } from '../../catalogue/records/owned.ts';
import type { SendOutcome } from '../../catalogue/send.ts';
import { ArtworkError } from '../../errors.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import {
  compareRevisions,
  explainedConflictError,
  findObjections,
  revisionsByGuard,
  selectReadableGuards,
} from '../before-claim/compare-with-service.ts';
import { asJson, type Finding, type StoredReceipt, storeReceipt } from '../finding.ts';
import { processingError } from '../operations/lookups.ts';
import { confirmIdAsOwn } from '../operations/upload-asset.ts';
import {
  type Delivery,
  type DeliveryResult,
  recordFinding,
  recordSettlement,
  recordUnresolved,
} from './delivery.ts';
import { pollOutcomeOnce, pollProcessing } from './look-up.ts';

/** Records what became of a request. */
export async function settleOutcome(delivery: Delivery, outcome: SendOutcome): Promise<DeliveryResult> {
  switch (outcome.outcome) {
    case 'not_sent':
      return recordSettlement(delivery, { outcome: 'not_sent', error: outcome.error }, outcome.error);
    case 'unknown':
      return recordUnresolved(delivery, outcome.error);
    case 'refused':
      return settleRefused(delivery, outcome);
    case 'applied':
      return settleApplied(delivery, outcome.body);
  }
}

/** The service has answered this very request: its id stands for nothing else now. */
function answered(delivery: Delivery): Delivery {
  const { outgoing } = delivery;
  return { ...delivery, outgoing: { ...outgoing, progress: confirmIdAsOwn(outgoing.progress) } };
}

async function settleApplied(sent: Delivery, body: unknown): Promise<DeliveryResult> {
  const delivery = answered(sent);
  const { mutation, warnings } = delivery.outgoing;
  const receipt = readReceipt(body, mutation.saved, mutation.clientMutationId);
  const { updatedAt, publicationStatus } = receipt;
  const says = 'The service answered the request with a receipt.';
  const kept: StoredReceipt = {
    receipt: asJson(receipt.record),
    updatedAt,
    publicationStatus,
    evidence: { by: 'receipt', certainty: 'certain', says },
    warnings: [...warnings],
  };
  switch (receipt.state) {
    case 'succeeded': {
      const ended = await recordSettlement(delivery, {
        outcome: 'succeeded',
        receipt: storeReceipt(kept),
      });
      return { ...ended, observed: await readBackSaved(delivery, receipt.savedId) };
    }
    case 'failed':
      return recordSettlement(delivery, {
        outcome: 'failed',
        receipt: storeReceipt(kept),
        error: processingError(receipt.error),
      });
    case 'processing':
      return pollProcessing(delivery, kept);
    case 'unknown':
      return settleUnclear(delivery);
  }
}

/** The service said yes, but not what it saved: what it has is looked up before anything is called unknown. */
async function settleUnclear(delivery: Delivery): Promise<DeliveryResult> {
  const found = await settleByFinding(delivery);
  if (found !== null) return found;
  const message = 'The service accepted the request, but its receipt does not say what was saved.';
  return recordUnresolved(delivery, new ArtworkError('bad_response', message));
}

async function settleRefused(
  delivery: Delivery,
  outcome: Extract<SendOutcome, { outcome: 'refused' }>,
): Promise<DeliveryResult> {
  const { mutation } = delivery.outgoing;
  if (outcome.status !== 409) {
    const error = protectedError(outcome.error, mutation.needed, delivery.bearer.scopes);
    return recordSettlement(delivery, { outcome: 'refused', error }, error);
  }
  if (mutation.looksBy === 'lookup') {
    const finding = await pollOutcomeOnce(delivery.repeated ? delivery : answered(delivery));
    // Where an earlier request of this ledger arrived after all, this one conflicts with what that one changed.
    if (delivery.repeated) {
      const found = await settleAsFound(delivery, finding);
      if (found !== null) return found;
    } else if (finding !== null && finding.found !== 'nothing' && !isOwnRefusal(finding, outcome.error)) {
      const error = idTaken(mutation.clientMutationId, outcome.error, finding);
      return recordSettlement(delivery, { outcome: 'refused', error }, error);
    }
  }
  const error = await explainConflict(delivery, outcome.error);
  return recordSettlement(delivery, { outcome: 'refused', error }, error);
}

/** The service keeps of a refused upload that it failed, and why: that is no earlier one. */
function isOwnRefusal(finding: Exclude<Finding, { found: 'nothing' }>, { code }: ArtworkError): boolean {
  return finding.found === 'ended' && finding.outcome === 'failed' && finding.error?.code === code;
}

/** The service knows the id of a request that nothing was sent for before: what it has there is another's. */
function idTaken(
  clientMutationId: string,
  { status, code, category, issues, details }: ArtworkError,
  finding: Exclude<Finding, { found: 'nothing' }>,
): ArtworkError {
  const { savedId } = readReceipt({ data: finding.kept.receipt }, 'asset', clientMutationId);
  const outcome = finding.found === 'ended' ? finding.outcome : 'processing';
  const asset = savedId === null ? '' : `, Asset ${savedId}`;
  const message = `The id ${clientMutationId} belongs to an earlier upload that this machine's ledger did not send: the service shows it as ${outcome}${asset}. Nothing of this call was applied.`;
  return new ArtworkError('conflict', message, {
    status,
    code: code === category ? undefined : code,
    issues,
    details: { ...details, earlierUpload: { outcome, assetId: savedId } },
  });
}

/**
 * Settles by what the service shows. That proves something only where a request of this intent was sent under
 * this id before, so that is the caller's to know.
 */
export async function settleByFinding(delivery: Delivery): Promise<DeliveryResult | null> {
  return settleAsFound(delivery, await pollOutcomeOnce(delivery));
}

async function settleAsFound(delivery: Delivery, finding: Finding | null): Promise<DeliveryResult | null> {
  switch (finding?.found) {
    case 'ended':
      return recordFinding(delivery, finding);
    case 'working':
      return pollProcessing(delivery, finding.kept);
    default:
      return null;
  }
}

/**
 * A 409 is a stale revision where one more read shows another one (interface document, Errors); else it is told with
 * what it conflicts with now, where the service shows it.
 */
async function explainConflict(delivery: Delivery, conflict: ArtworkError): Promise<ArtworkError> {
  const { outgoing, bearer, signals } = delivery;
  const call = { signal: signals.closing };
  try {
    const guards = selectReadableGuards(outgoing.mutation.guards, bearer.scopes);
    const records = revisionsByGuard(await compareRevisions(guards, delivery.ports.owned, call));
    const objections = await findObjections(delivery.ports, outgoing, {
      records,
      scopes: bearer.scopes,
      call,
    });
    return explainedConflictError(outgoing, conflict, objections);
  } catch (error) {
    if (!(error instanceof ArtworkError)) throw error;
    if (error.category !== 'stale_revision') return conflict;
    const { message, details, next } = error;
    const code = conflict.code === conflict.category ? undefined : conflict.code;
    const { status, issues } = conflict;
    return new ArtworkError('stale_revision', message, { code, status, issues, details, next });
  }
}

/**
 * A body that is only assumed may be accepted and yet not be understood: what the service says it did is read
 * back, and a difference is told. It changes nothing about the outcome, which is the service's word.
 */
async function readBackSaved(delivery: Delivery, savedId: string | null): Promise<Observations> {
  const { mutation } = delivery.outgoing;
  if (mutation.request().identity !== 'assumed') return {};
  const finding = await show(delivery, savedId);
  if (finding === null) {
    return warning('not_read_back', 'The service said that it was done; it could not be read back.');
  }
  if (finding.found === 'nothing') {
    const message = `The service said that it was done, but what was read back does not show it: ${finding.says}`;
    return warning('read_back_differs', message);
  }
  return { updatedAt: finding.kept.updatedAt };
}

async function show(delivery: Delivery, savedId: string | null): Promise<Finding | null> {
  const { mutation, progress } = delivery.outgoing;
  const look = { owned: delivery.ports.owned, progress, call: { signal: delivery.signals.closing } };
  try {
    return await mutation.confirm(look, savedId);
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

function warning(code: string, message: string): Observations {
  return { warnings: [{ code, message }] };
}
