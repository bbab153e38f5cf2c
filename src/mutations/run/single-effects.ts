import type { Json } from '../../canonical-json.ts';
import { jsonBytes } from '../../catalogue/request.ts';
import { unhurried } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import type { Observations } from '../answer/describe-mutation.ts';
import { compareRevisionsBeforeRepeat } from '../before/revisions.ts';
import type { Finding } from '../finding.ts';
import type { Effects } from './execute.ts';
import { explainConflict } from './explain.ts';
import { toldOf } from './look-up.ts';
import { withNote } from './note.ts';
import type { Run } from './run.ts';

/** What a single request touches of the world, be its body JSON or a file. */
export function singleEffects(run: Run): Effects<Json, unknown, Finding> {
  const { account, prepared, signals } = run;
  const { ports } = account;
  const { mutation, file, names } = prepared;
  const deadline = unhurried(signals.closing);
  const lookAt = (progress: Json) => ({ owned: ports.owned, progress, names, deadline });

  return {
    read: (progress) => progress,
    look: (progress, anyone) =>
      mutation.find(lookAt(anyone ? withNote(progress, { knownBefore: undefined }) : progress)),
    async compare({ repeated }) {
      if (!repeated) return null;
      const { scopes } = await ports.connections.account();
      return compareRevisionsBeforeRepeat(mutation, ports.owned, scopes, deadline);
    },
    async write(_, __, signal) {
      const close = async () => {};
      if (mutation.by === 'upload') {
        if (file === null) throw new ArtworkError('upload_refused', 'The file of this upload is not open.');
        const body = file.body(signal);
        if (Buffer.isBuffer(body)) return { request: mutation.request(), body, mayTakeBack: true, close };
        const told = countBytes(body.length, run.progress);
        const open = () => told(body.open());
        return { request: mutation.request(), body: { ...body, open }, mayTakeBack: true, close };
      }
      const request = mutation.by === 'request' ? mutation.request() : null;
      if (request === null) throw new TypeError('A submission is not one request.');
      return { request, body: jsonBytes(request), mayTakeBack: true, close };
    },
    async complete(ending) {
      const observed: Observations = {};
      if (ending.step === 'leave') {
        const { shown } = ending;
        return { ending, observed: shown === undefined ? observed : { lookup: toldOf(shown) } };
      }
      if (ending.as === 'found' || ending.explain !== true) return { ending, observed };
      return { ending: { ...ending, error: await explainConflict(run, ending.error) }, observed };
    },
    async confirm(savedId) {
      if (mutation.by !== 'request' || mutation.request().identity !== 'assumed') return {};
      const finding = await confirmed(() => mutation.confirm(lookAt(run.view.entry.progress), savedId));
      return readBackWords(finding);
    },
    tell: () => {},
    close: async () => {
      await file?.close();
    },
  };
}

function countBytes(total: number, tell: Run['progress']) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let sent = 0;
    for await (const chunk of chunks) {
      sent += chunk.length;
      tell(sent, total, 'uploading');
      yield chunk;
    }
  };
}

async function confirmed(read: () => Promise<Finding | null>): Promise<Finding | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ArtworkError) return null;
    throw error;
  }
}

/**
 * A body that is only assumed may be accepted and yet not be understood: what the service says it did is read
 * back, and a difference is told. It changes nothing about the outcome, which is the service's word.
 */
function readBackWords(finding: Finding | null): Observations {
  if (finding === null) {
    return warning('not_read_back', 'The service said that it was done; it could not be read back.');
  }
  if (finding.found === 'nothing') {
    const message = `The service said that it was done, but what was read back does not show it: ${finding.says}`;
    return warning('read_back_differs', message);
  }
  return { updatedAt: finding.kept.updatedAt };
}

function warning(code: string, message: string): Observations {
  return { warnings: [{ code, message }] };
}
