import type { Operation, ProtectedContext } from '../me/context.ts';
import { protectedAnswer } from '../me/protected-error.ts';
import { readJson } from '../me/request.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import { admitCreation } from './admit-creation.ts';
import { admitEdit } from './admit-edit.ts';
import { complete } from './complete.ts';
import { receiveItem } from './receive-item.ts';
import { ownSubmission, submissionRecord } from './record.ts';

/** Media Set creation and grouped Set edits, with their scopes (the interface document, Endpoints). */
export function submissionOperations(context: ProtectedContext): readonly Operation[] {
  return [
    {
      method: 'POST',
      path: '/me/set-uploads',
      requiredScopes: () => ({ every: ['sets:write', 'assets:write'] }),
      answer: async ({ request }, caller) => admitCreation(context, caller, await readJson(request)),
    },
    {
      method: 'POST',
      path: '/me/sets/{setId}/updates',
      // The body decides which further scopes the items need.
      requiredScopes: () => ({ every: ['sets:write'] }),
      answer: async ({ values, request }, caller) =>
        admitEdit(context, caller, values.integer('setId'), await readJson(request)),
    },
    ...operationsAfterAdmission(context, 'creation', '/me/set-uploads', ['sets:write', 'assets:write']),
    ...operationsAfterAdmission(context, 'edit', '/me/set-updates', ['sets:write']),
  ];
}

/** The operations after an admission. */
function operationsAfterAdmission(
  context: ProtectedContext,
  family: 'creation' | 'edit',
  root: string,
  scopes: readonly ResourceScope[],
): readonly Operation[] {
  const requiredScopes = () => ({ every: scopes });
  return [
    {
      method: 'POST',
      path: `${root}/{submissionId}/assets`,
      requiredScopes,
      answer: (call, caller) => receiveItem(context, caller, family, call),
    },
    {
      method: 'GET',
      path: `${root}/{submissionId}`,
      requiredScopes,
      answer: ({ values }, caller) => {
        const { id } = ownSubmission(context.database, caller, family, values.text('submissionId'));
        return protectedAnswer(200, { submission: submissionRecord(context.database, id, context.now()) });
      },
    },
    {
      method: 'POST',
      path: `${root}/{submissionId}/complete`,
      requiredScopes,
      answer: async ({ values, request }, caller) => {
        const given = await readJson(request);
        const processing = context.processingOf(request);
        return complete(context, caller, family, values.text('submissionId'), given, processing);
      },
    },
  ];
}
