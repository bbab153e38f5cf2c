import { z } from 'zod';
import { relationshipChange } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import { extra, jsonRequest, relatedId, relatedKind } from '../../catalogue/request.ts';
import { readRelationship } from '../before/guard.ts';
import { shortLine } from '../../model/target.ts';
import { nothingFound } from '../finding.ts';
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
