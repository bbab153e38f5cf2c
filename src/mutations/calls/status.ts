import { readUploadStatus, uploadStatus } from '../../catalogue/records/upload-status.ts';
import { clientMutationId } from '../../catalogue/requests/fields.ts';
import { missingScopes } from '../../catalogue/scopes.ts';
import type { ArtworkError, Next } from '../../errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AccountScope } from '../../ledger/scope.ts';
import type { EntryView } from '../../ledger/standing.ts';
import { type Principal, currentPrincipal } from '../principal.ts';
import { answer, nameOfService } from '../answer/answer.ts';
import { mayHaveBeenApplied } from '../next-calls.ts';
import { pollUntilEnded } from '../delivery/poll.ts';
import type { CallClock } from '../call-clock.ts';
import { type LookupResult, lookUp } from '../delivery/look-up.ts';
import { MutationError } from '../mutation-error.ts';
import { checked } from '../operations/checked.ts';
import { lookUpUpload } from '../operations/look-up-upload.ts';
import type { MutationPorts, Service } from '../ports.ts';
import type { ItemPage, MutationResult } from '../result.ts';
import { findMutualAbort } from '../before-claim/mutual-abort.ts';
import { statusOfSubmission } from './status-submission.ts';
import { isSubmission } from '../operation-names.ts';

/** How long one call waits for news, ms. */
const newsMs = 40_000;
/** What is left of a call's time for the answer itself, ms. */
const reserveMs = 2_000;
const firstPauseMs = 500;
const longestPauseMs = 8_000;

/**
 * What is known of a mutation. What is settled is told; what somebody works on is waited for; for the rest
 * the service is asked, again and again as long as the call may last.
 * @throws MutationError `not_found` where neither the ledger nor the service knows the id, and as `answer`
 */
export async function statusOf(
  ports: MutationPorts,
  id: string,
  time: CallClock,
  page?: ItemPage,
): Promise<MutationResult> {
  const known = checked(clientMutationId, id);
  const service = await ports.service();
  const principal = await currentPrincipal(ports);
  const ledger = await ports.ledger();
  const view = await ledger.read(principal.scope, known);
  if (view === null) return askForStranger(ports, service, principal, known, time);
  const stalemate = await findMutualAbort(ledger, principal.scope, view);
  if (stalemate !== null) return answer(service, view, { error: stalemate });
  if (isSubmission(view.entry)) {
    return statusOfSubmission(ports, ledger, principal.scope, view, page, time);
  }
  if (isSettled(view)) return answer(service, view, await publication(ports, view, time));
  const { view: last, observed, looked } = await awaitNews(ports, ledger, principal.scope, view, time);
  if (isSettled(last) || last.live || !looked) return answer(service, last, observed);
  const counted = (await ledger.countLookup(principal.scope, known)) ?? last;
  return answer(service, counted, observed);
}

interface News extends Pick<LookupResult, 'view' | 'observed'> {
  /** Whether the service was asked and told nothing that ends the matter. */
  readonly looked: boolean;
}

async function awaitNews(
  ports: MutationPorts,
  ledger: Ledger,
  scope: AccountScope,
  first: EntryView,
  time: CallClock,
): Promise<News> {
  const { clock } = ports;
  const until = clock.monotonic() + Math.min(newsMs, time.left() - reserveMs);
  let news: News = { view: first, observed: {}, looked: false };
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const { view } = news;
    if (isSettled(view) || view.entry.abandonedAt !== null) return news;
    if (!view.live) {
      const { finding, view: seen, observed } = await lookUp(ports, ledger, scope, view, time.call());
      news = { view: seen, observed, looked: true };
      if (isSettled(seen) || finding === 'never' || isHopeless(observed.error)) return news;
    }
    if (clock.monotonic() + pause >= until) return news;
    await clock.sleep(pause, time.signal);
    time.check();
    const now = await ledger.read(scope, first.entry.clientMutationId);
    if (now !== null) news = { ...news, view: now };
  }
}

/** Whether asking again in a moment can't help. */
function isHopeless(error: ArtworkError | undefined): boolean {
  switch (error?.category) {
    case undefined:
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
    case 'not_found':
      return false;
    default:
      return true;
  }
}

function isSettled({ standing }: EntryView): boolean {
  return standing !== 'processing' && standing !== 'unresolved';
}

/** Public reads catch up after an upload has ended: whether they have by now. */
async function publication(ports: MutationPorts, view: EntryView, time: CallClock) {
  const { entry, standing } = view;
  if (standing !== 'succeeded' || entry.operation !== 'upload_asset') return {};
  const { kept } = await lookUpUpload(ports.owned, entry.clientMutationId, time.call()).then(
    (finding) => (finding.found === 'nothing' ? { kept: null } : finding),
    // The stored answer stands; this would only have added to it.
    () => ({ kept: null }),
  );
  return kept === null ? {} : { publicationStatus: kept.publicationStatus };
}

const stillAtWork: Next = {
  why: "The service has not finished this upload. It is not in this machine's ledger: ask again later with the same id, or where it was made.",
  doNot: mayHaveBeenApplied,
};

/**
 * An id that this ledger does not know may be an upload of another machine. What the service says of it is told, and
 * nothing is written down: what was meant by it this ledger can't tell.
 */
async function askForStranger(
  ports: MutationPorts,
  service: Service,
  { account }: Principal,
  id: string,
  time: CallClock,
): Promise<MutationResult> {
  const mayAsk = missingScopes(uploadStatus.needed, account.scopes).length === 0;
  const finding = mayAsk
    ? await pollUntilEnded(
        ports,
        time,
        () => lookUpUpload(ports.owned, id, time.call()),
        ({ found }) => found !== 'working',
      )
    : null;
  if (finding === null || finding.found === 'nothing') {
    const asked = mayAsk
      ? 'the service has no upload of this id now'
      : 'the service could not be asked for it without assets:write or assets:replace';
    throw new MutationError(
      'not_found',
      `This machine's ledger does not know the id for the connected account, and ${asked}.`,
      {
        clientMutationId: id,
        next: {
          why: 'Nothing was sent under this id from this ledger. Whether it was from another machine, for another account, or before the data folder of this one was lost is not known here: uploads are found by this id, but the service keeps a Set creation or an edit under its submissionId (get_mutation_status with submissionId and kind asks for it), and other changes under no id at all. An upload may be made again with the same id and exactly the same arguments, which the service answers with the first receipt; anything else is made again only after a person has looked at what is there.',
        },
      },
    );
  }
  const { kept } = finding;
  const error = finding.found === 'ended' ? finding.error : undefined;
  return {
    outcome: finding.found === 'ended' && finding.outcome !== 'partial' ? finding.outcome : 'processing',
    clientMutationId: id,
    operation: 'upload_asset',
    service: nameOfService(service),
    id: { kind: 'asset', id: readUploadStatus({ data: kept.receipt }).assetId },
    target: { kind: 'asset' },
    receipt: kept.receipt,
    ...(kept.updatedAt === null ? {} : { updatedAt: kept.updatedAt }),
    ...(kept.publicationStatus === null ? {} : { publicationStatus: kept.publicationStatus }),
    evidence: kept.evidence,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
    ...(finding.found === 'ended' ? {} : { next: stillAtWork }),
  };
}
