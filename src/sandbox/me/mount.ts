import type { IncomingMessage } from 'node:http';
import { authorizeRequest } from '../access/authorize.ts';
import { type Answer, matched, PathValues, pathOf, send } from '../http.ts';
import type { Mount, Premises } from '../premises.ts';
import { createOwnerTables } from '../store/tables-owner.ts';
import { createSubmissionTables } from '../store/tables-submissions.ts';
import { submissionOperations } from '../submissions/operations.ts';
import { refersToPicture } from '../submissions/store.ts';
import { sweepUploads } from '../uploads/kept-file.ts';
import { ownerMutations } from './mutations.ts';
import type { Operation } from './operation.ts';
import type { OwnerSide } from './owner-side.ts';
import { accessAnswer, errorAnswer, ProtectedError, refusalAnswer, unknown } from './protected-error.ts';
import { ownerReads } from './reads.ts';

/** Everything below `{base_url}/me`. */
export function ownerMount(options: Pick<OwnerSide, 'publicationLagMs' | 'processingOf'>): Mount {
  return async (premises) => {
    const { database, dataDir } = premises;
    createOwnerTables(database, premises.now());
    createSubmissionTables(database);
    await sweepUploads(database, dataDir, (key) => refersToPicture(database, key));
    const side = { ...premises, ...options };
    const operations = [...ownerReads(premises), ...ownerMutations(side), ...submissionOperations(side)];
    const root = `${premises.basePath}/me`;
    return async (request, response) => {
      const path = pathOf(request);
      if (path !== root && !path.startsWith(`${root}/`)) return false;
      const answer = await answerOwner(premises, operations, request, path.slice(premises.basePath.length));
      // What is left of a body that was refused: the connection's next request comes behind it.
      if (!request.complete) request.resume();
      if (answer !== null) send(request, response, answer);
      return true;
    };
  };
}

/** Null when the client has gone, and nobody is there to be answered. */
async function answerOwner(
  premises: Premises,
  operations: readonly Operation[],
  request: IncomingMessage,
  path: string,
): Promise<Answer | null> {
  try {
    return await judged(premises, operations, request, path);
  } catch (error) {
    const refusal = refusalAnswer(error);
    if (refusal !== null) return refusal;
    if (request.destroyed && !request.complete) return null;
    // A protected request is answered with a protected body, whatever happens.
    process.stderr.write(`embedded catalogue: ${error instanceof Error ? error.stack : String(error)}\n`);
    return errorAnswer(new ProtectedError(500, 'internal', 'The catalogue failed.'));
  }
}

async function judged(
  premises: Premises,
  operations: readonly Operation[],
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  const segments = path.split('/');
  const here = operations.flatMap((operation) => {
    const values = matched(operation.path.split('/'), segments);
    return values ? [{ operation, values: new PathValues(values) }] : [];
  });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find(({ operation }) => operation.method === method);
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const asked = {
    values: found?.values ?? new PathValues(new Map()),
    query: new URLSearchParams(query),
    request,
  };
  // Whoever may not come in is not told what is here.
  const access = authorizeRequest(premises, request, found?.operation.needed(asked) ?? { every: [] });
  if (!access.granted) return accessAnswer(access.refusal);
  if (found) return found.operation.answer(asked, access.caller);
  if (here.length === 0) throw unknown('This path');
  const allow = here.map(({ operation }) => operation.method).join(', ');
  throw new ProtectedError(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
