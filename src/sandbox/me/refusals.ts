import { Refusal } from '../http.ts';

/** Refuses one field or item, which `path` names. */
export function refuse(
  status: number,
  code: string,
  message: string,
  path?: readonly string[],
  details: Readonly<Record<string, unknown>> = {},
): Refusal {
  const issues = path === undefined ? [] : [{ code, message, path }];
  return new Refusal(status, code, message, { details, issues });
}

/** One field of a body, a query or the headers is not as the interface document says. */
export function invalid(path: readonly string[], message: string): Refusal {
  return refuse(400, 'invalid_request', message, path);
}

export function missing(what: string, path?: readonly string[]): Refusal {
  return refuse(404, 'not_found', `${what} does not exist.`, path);
}

/** Permissions never override ownership. */
export function notOwned(what: string, path?: readonly string[]): Refusal {
  return refuse(403, 'resource.not_owned', `${what} belongs to another account.`, path);
}

/** For `catch`: a refusal is an outcome, any other error stays one. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
