import type { NeededScopes } from '../../../src/catalogue/authorization.ts';
import type { FileRequest, JsonRequest } from '../../../src/catalogue/request.ts';
import type { Operation } from '../../../src/mutations/operations/operation.ts';

type Needing<Request> = Request & { readonly needed: NeededScopes };

/** The request that an operation makes of these arguments, as the ledger keeps them; no revision, unless one is given. */
function requestOf({ mutation }: Operation, args: object) {
  const meant = mutation({ expectedUpdatedAt: null, ...args });
  return { ...meant.request(), needed: meant.needed };
}

export function jsonRequestOf(operation: Operation, args: object): Needing<JsonRequest> {
  const request = requestOf(operation, args);
  if (request.body.kind !== 'json') throw new Error('It sends a file.');
  return { ...request, body: request.body };
}

export function fileRequestOf(operation: Operation, args: object): Needing<FileRequest> {
  const request = requestOf(operation, args);
  if (request.body.kind !== 'file') throw new Error('It sends no file.');
  return { ...request, body: request.body };
}

/** What becomes of the arguments of a call before a file is opened. */
export function planOf({ run, mutation }: Operation, call: object): object {
  return run.by === 'request' ? mutation(call) : run.plan(call);
}
