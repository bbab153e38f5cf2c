import { randomUUID } from 'node:crypto';
import type { Answer } from '../http.ts';
import type { Caller } from '../me/authorize.ts';
import type { ProtectedContext } from '../me/context.ts';
import { applyOnce, fingerprintOf, recordEffect } from '../me/mutation.ts';
import { protectedAnswer } from '../me/protected-error.ts';
import type { Item } from './bodies.ts';
import { submissionRecord } from './record.ts';
import { insertSubmission, type Submission } from './store.ts';

/** What an admission fixes. */
interface Admission extends Pick<Submission, 'admitted' | 'setId'> {
  /** Everything that the request asks for. */
  readonly asks: object;
  readonly items: readonly Item[];
}

/** Admits a submission once per identity; a repeated request gets its record again. `check` refuses it. */
export function admit(
  context: ProtectedContext,
  caller: Caller,
  { admitted, setId, asks, items }: Admission,
  check: () => void,
): Answer {
  const { database } = context;
  const { family, admission } = admitted;
  const { clientMutationId } = admission;
  const operation = family === 'creation' ? 'set.create' : 'set.edit';
  const now = context.now();
  const at = now.toISOString();
  const identity = { operation, clientMutationId, fingerprint: fingerprintOf(asks) };
  const { receipt, first } = applyOnce(database, caller, identity, at, () => {
    check();
    const id = randomUUID();
    const changesSet = family === 'edit' && Object.keys(admission.metadata).length > 0;
    const metadata = { status: changesSet ? 'processing' : 'not_required', error: null } as const;
    const submission = { id, accountId: caller.accountId, clientMutationId, admitted, setId, createdAt: at };
    insertSubmission(database, { ...submission, metadata }, items);
    const resource = { kind: 'submission', id };
    recordEffect(database, caller, { operation: `${operation}.admit`, clientMutationId, resource }, at);
    return { submission: submissionRecord(database, id, now) };
  });
  return protectedAnswer(first ? 201 : 200, receipt);
}
