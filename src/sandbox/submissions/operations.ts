import { readJson } from '../me/json-body.ts';
import type { Operation } from '../me/operation.ts';
import type { OwnerSide } from '../me/owner-side.ts';
import { privateAnswer } from '../me/protected-error.ts';
import type { ResourceScope } from '../oauth/scopes.ts';
import { admitCreation } from './admit-creation.ts';
import { admitEdit } from './admit-edit.ts';
import { complete } from './complete.ts';
import { ownSubmission } from './find.ts';
import { receiveItem } from './receive-item.ts';
import { submissionRecord } from './record.ts';

/** Media Set creation and grouped Set edits, with their scopes (the interface document, Endpoints). */
export function submissionOperations(side: OwnerSide): readonly Operation[] {
  return [
    {
      method: 'POST',
      path: '/me/set-uploads',
      needed: () => ({ every: ['sets:write', 'assets:write'] }),
      answer: async ({ request }, caller) => admitCreation(side, caller, await readJson(request)),
    },
    {
      method: 'POST',
      path: '/me/sets/{setId}/updates',
      // What the items need beside it stands in the body.
      needed: () => ({ every: ['sets:write'] }),
      answer: async ({ values, request }, caller) =>
        admitEdit(side, caller, values.integer('setId'), await readJson(request)),
    },
    ...steps(side, 'creation', '/me/set-uploads', ['sets:write', 'assets:write']),
    ...steps(side, 'edit', '/me/set-updates', ['sets:write']),
  ];
}

/** What follows an admission. */
function steps(
  side: OwnerSide,
  family: 'creation' | 'edit',
  root: string,
  scopes: readonly ResourceScope[],
): readonly Operation[] {
  const needed = () => ({ every: scopes });
  return [
    {
      method: 'POST',
      path: `${root}/{submissionId}/assets`,
      needed,
      answer: (asked, caller) => receiveItem(side, caller, family, asked),
    },
    {
      method: 'GET',
      path: `${root}/{submissionId}`,
      needed,
      answer: ({ values }, caller) => {
        const { id } = ownSubmission(side.database, caller, family, values.text('submissionId'));
        return privateAnswer(200, { submission: submissionRecord(side.database, id, side.now()) });
      },
    },
    {
      method: 'POST',
      path: `${root}/{submissionId}/complete`,
      needed,
      answer: async ({ values, request }, caller) => {
        const given = await readJson(request);
        const processing = side.processingOf(request);
        return complete(side, caller, family, values.text('submissionId'), given, processing);
      },
    },
  ];
}
