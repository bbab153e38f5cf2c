import { z } from 'zod';
import type { Call } from '../../catalogue/request-time.ts';
import { ArtworkError } from '../../errors.ts';
import type { Json } from '../../canonical-json.ts';
import type { OwnedReads } from '../ports.ts';
import type { Finding } from '../finding.ts';

/** The service is asked before an upload is sent at all; one that takes longer is taken for one that can't be asked. ms */
const askMs = 15_000;
const note = z.looseObject({ knownBefore: z.literal(true) });

/**
 * Whether the service knows an upload's id before anything is sent under it: a lookup then shows another upload, also
 * where the answer to this one is lost.
 * @throws ArtworkError where the service can't be asked: without this answer a later lookup would prove nothing of an
 * upload that was sent, so that it is not sent
 */
export async function checkIdIsNew(owned: OwnedReads, id: string, call: Call): Promise<Json> {
  const deadlineMs = Math.min(call.deadlineMs ?? askMs, askMs);
  try {
    const upload = await owned.findAssetUpload(id, { ...call, deadlineMs });
    return upload === null ? {} : { knownBefore: true };
  } catch (error) {
    throw error instanceof ArtworkError ? notAsked(error) : error;
  }
}

/** What is said of a request for a status would else be taken for what is said of the upload. */
function notAsked(error: ArtworkError): ArtworkError {
  switch (error.category) {
    case 'cancelled':
    case 'not_connected':
    case 'reconnect_required':
    case 'scope_missing':
      return error;
    default: {
      const { category, message, code, status, next } = error;
      const mayPass =
        category === 'network' || category === 'service_unavailable' || category === 'rate_limited';
      return new ArtworkError(
        mayPass ? category : 'bad_response',
        `The service could not say whether it knows this id already, so nothing was sent. ${message}`,
        { code: code === category ? undefined : code, status, next: mayPass ? next : undefined },
      );
    }
  }
}

/** Whether the service knew the id of an upload before this ledger sent anything under it. */
export function wasForeignId(progress: Json): boolean {
  return note.safeParse(progress).success;
}

/**
 * Notes in the progress of an upload that its id stands for this upload. "Reuse with an identical body returns the
 * original receipt" (Limits): once the service has answered the request, the id stands for this upload.
 */
export function confirmIdAsOwn(progress: Json): Json {
  return wasForeignId(progress) ? mergeProgress(progress, { knownBefore: false }) : progress;
}

/** What is known of a mutation from the start, with what was noticed since. */
export function mergeProgress(known: Json, noticed: Json): Json {
  return isMembers(known) && isMembers(noticed) ? { ...known, ...noticed } : noticed;
}

function isMembers(json: Json): json is { readonly [member: string]: Json | undefined } {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

export const foreignIdFinding: Finding = {
  found: 'nothing',
  by: 'lookup',
  says: 'The service knew this id before anything was sent under it from here: what it shows may be an earlier upload, and tells nothing of this one.',
  final: true,
};
