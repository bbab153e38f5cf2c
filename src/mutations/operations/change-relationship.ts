import { z } from 'zod';
import { relationshipChange } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import type { Next } from '../../errors.ts';
import { extra, jsonRequest, relatedId, relatedKind } from '../../catalogue/request.ts';
import type { Objection } from '../before/objection.ts';
import { readRelationship } from '../before/guard.ts';
import { isKind, isSetKind } from '../../model/kinds.ts';
import { shortLine } from '../../model/target.ts';
import { nothingFound } from '../finding.ts';
import { typedId } from '../names.ts';
import { deriveUuid } from '../submission.ts';
import { defineArguments, relationshipRevision } from './arguments.ts';
import { defineOperation } from './operation.ts';
import { foundByReadBack } from './read-back.ts';

/**
 * Relationships (interface document). The body is assumed, so it is never repeated; it states what shall be,
 * so what is there tells whether it came about.
 */
export const changeRelationship = defineOperation({
  name: 'change_relationship',
  arguments: defineArguments({
    extra,
    targetKind: relatedKind,
    targetId: relatedId,
    relationship: z.enum(['follow', 'hide', 'clear']),
  }),
  run: {
    by: 'request',
    request({ relationship, ...rest }) {
      const body = relationshipChange({
        ...rest,
        relationship: relationship === 'clear' ? null : relationship,
      });
      return jsonRequest(path`/me/relationships`, body, 'assumed');
    },
  },
  revision: relationshipRevision,
  saved: 'relationship',
  needed: () => ({ allOf: ['relationships:write'] }),
  target: ({ targetKind, targetId, relationship }) => ({ kind: targetKind, id: targetId, relationship }),
  check: async (change) => (change.targetKind === account ? [] : [perhapsRefused(change)]),
  instead: (change) => asUser(change) ?? watchInstead(change),
  earlier({ targetKind, targetId }, records) {
    const record = records.get(`relationship to ${targetKind} ${targetId}`);
    return { relationship: record === undefined ? 'clear' : shortLine(stateOfRelationship(record)) };
  },
  async find({ targetKind, targetId, relationship }, { owned, deadline }) {
    const record = await readRelationship(owned, { targetKind, targetId }, deadline);
    const state = record === null ? 'clear' : stateOfRelationship(record);
    // Lists of them are named in the plural.
    if (state === relationship || state === `${relationship}s`) {
      return foundByReadBack(record, `The relationship is as it was meant to be: ${relationship}.`);
    }
    const says = `The relationship is not as it was meant to be so far (${state ?? 'of an unknown kind'}); the request may still arrive.`;
    return nothingFound('read_back', says, false);
  },
});

/** The only kind of which the embedded catalogue has relationships; the interface document names none. */
const account = 'user';

function perhapsRefused(change: Change): Objection {
  const { targetKind } = change;
  const watch = watchInstead(change);
  const other = isWordForUser(targetKind) ? `. A creator is a ${account} here` : '';
  const instead =
    watch === null ? '' : `. watch with ${JSON.stringify(watch.arguments)} tells what changes on it instead`;
  const message = `is ${targetKind}, and what else than a ${account} can be followed or hidden is not shown${other}${instead}`;
  return { category: 'invalid_arguments', message, path: ['targetKind'], doubtful: true };
}

/** People's words for one; a service may know another word than we do, so it is sent as it is given first. */
function isWordForUser(kind: string): boolean {
  return /^(creator|artist|uploader|account|member|user)s?$/i.test(kind.trim());
}

function asUser(change: Change): Next | null {
  const { clientMutationId, targetKind, targetId, relationship, expectedUpdatedAt } = change;
  if (targetKind === account || !isWordForUser(targetKind)) return null;
  const args = {
    clientMutationId: deriveUuid(clientMutationId, account),
    expectedUpdatedAt,
    targetKind: account,
    targetId,
    relationship,
  };
  const why = `The service does not know a ${targetKind} here: it is the same call for a ${account}.`;
  return { tool: 'change_relationship', arguments: args, why };
}

/** Works and Sets can be watched, which serves the same end as following them; null for everything else. */
function watchInstead({ targetKind: kind, targetId, relationship }: Change): Next | null {
  const id = typedId(kind, targetId);
  if (relationship !== 'follow' || typeof id !== 'number' || !(isKind(kind) || isSetKind(kind))) return null;
  const why = `The service does not take a ${kind} here. This keeps it on a list of your own instead: list_changes with scope watched tells what changes on it.`;
  return { tool: 'watch', arguments: { add: [{ kind, id }] }, why };
}

interface Change {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string | null;
  readonly targetKind: string;
  readonly targetId: number | string;
  readonly relationship: string;
}
