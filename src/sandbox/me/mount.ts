import type { IncomingMessage } from 'node:http';
import { type Answer, matchPath, pathOf, PathValues, sendAnswer } from '../http.ts';
import { logDefect } from '../log.ts';
import type { Mount, ServerContext } from '../server-context.ts';
import { createProtectedTables } from '../store/tables-protected.ts';
import { createSubmissionTables } from '../store/tables-submissions.ts';
import { submissionOperations } from '../submissions/operations.ts';
import { isFileReferenced } from '../submissions/store.ts';
import { sweepUploads } from '../uploads/files.ts';
import { authorizeRequest } from './authorize.ts';
import type { Operation, ProtectedContext } from './context.ts';
import { mutationOperations, readOperations } from './operations.ts';
import { answerForError, doesNotExist, ProtectedError, protectedErrorAnswer } from './protected-error.ts';

/** Everything below `{base_url}/me`. */
export function protectedMount(options: Pick<ProtectedContext, 'publicationLagMs' | 'processingOf'>): Mount {
  return async (server) => {
    const { database, dataDir } = server;
    createProtectedTables(database, server.now());
    createSubmissionTables(database);
    await sweepUploads(database, dataDir, (key) => isFileReferenced(database, key));
    const context = { ...server, ...options };
    const operations = [
      ...readOperations(server),
      ...mutationOperations(context),
      ...submissionOperations(context),
    ];
    const root = `${server.basePath}/me`;
    return async (request, response) => {
      const path = pathOf(request);
      if (path !== root && !path.startsWith(`${root}/`)) return false;
      const answer = await answerProtected(server, operations, request, path.slice(server.basePath.length));
      // The rest of a refused body has to be read: the next request of this connection follows it.
      if (!request.complete) request.resume();
      if (answer !== null) sendAnswer(request, response, answer);
      return true;
    };
  };
}

/** Null when the client has disconnected. */
async function answerProtected(
  server: ServerContext,
  operations: readonly Operation[],
  request: IncomingMessage,
  path: string,
): Promise<Answer | null> {
  try {
    return await dispatch(server, operations, request, path);
  } catch (error) {
    const refusal = answerForError(error);
    if (refusal !== null) return refusal;
    if (request.destroyed && !request.complete) return null;
    // A protected request always gets a protected body, also for a defect.
    logDefect(error);
    return protectedErrorAnswer(new ProtectedError(500, 'internal', 'The catalogue failed.'));
  }
}

async function dispatch(
  server: ServerContext,
  operations: readonly Operation[],
  request: IncomingMessage,
  path: string,
): Promise<Answer> {
  const segments = path.split('/');
  const here = operations.flatMap((operation) => {
    const values = matchPath(operation.path.split('/'), segments);
    return values ? [{ operation, values: new PathValues(values) }] : [];
  });
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const found = here.find(({ operation }) => operation.method === method);
  const [, query = ''] = (request.url ?? '').split('?', 2);
  const call = {
    values: found?.values ?? new PathValues(new Map()),
    query: new URLSearchParams(query),
    request,
  };
  // First of all: a caller without access does not learn which paths exist.
  const caller = authorizeRequest(server, request, found?.operation.requiredScopes(call) ?? { every: [] });
  if (found) return found.operation.answer(call, caller);
  if (here.length === 0) throw doesNotExist('This path');
  const allow = here.map(({ operation }) => operation.method).join(', ');
  throw new ProtectedError(405, 'method_not_allowed', `This path takes ${allow}.`, { headers: { allow } });
}
