import { z } from 'zod';
import { relationshipChange } from '../../catalogue/assumed.ts';
import { path } from '../../catalogue/call.ts';
import { stateOfRelationship } from '../../catalogue/records/owned.ts';
import { extra, jsonRequest, relatedId, relatedKind } from '../../catalogue/request.ts';
import { isKind } from '../../model/kinds.ts';
import { defineArguments, defineOperation } from './operation.ts';
import { keyOfGuard } from './revisions.ts';

const states = ['follow', 'hide', 'clear'] as const;
const change = defineArguments({
  extra,
  targetKind: relatedKind,
  targetId: relatedId,
  relationship: z.enum(states),
});

/** Entities have integers for ids. A creator can have a name of digits. */
const meant = change.transform((args) =>
  isKind(args.targetKind) && /^\d{1,15}$/.test(String(args.targetId))
    ? { ...args, targetId: Number(args.targetId) }
    : args,
);

/**
 * Relationships (interface document). The body is assumed; it says what shall be, so that what is there tells whether it
 * came about.
 */
export const changeRelationship = defineOperation({
  name: 'change_relationship',
  sends: 'json',
  arguments: change,
  meant,
  revision: ({ targetKind, targetId }) => ({ of: 'relationship', targetKind, targetId }),
  saved: 'relationship',
  needed: () => ({ allOf: ['relationships:write'] }),
  target: (args) => ({ kind: args.targetKind, id: args.targetId, relationship: args.relationship }),
  request(args) {
    const relationship = args.relationship === 'clear' ? null : args.relationship;
    return jsonRequest(path`/me/relationships`, relationshipChange({ ...args, relationship }), 'assumed');
  },
  effect: {
    compare: (args, record) => [{ meant: args.relationship, shown: stateIn(record) }],
  },
  earlier({ targetKind: kind, targetId: id }, records) {
    const key = keyOfGuard({ of: 'relationship', about: { kind, id } });
    const relationship = stateIn(records.get(key) ?? null);
    return relationship === undefined ? {} : { relationship };
  },
  undo: (args, earlier) => ({ targetKind: args.targetKind, targetId: args.targetId, ...earlier }),
});

/** Lists of them are named in the plural. Undefined: a word that is none of ours. */
function stateIn(record: Readonly<Record<string, unknown>> | null): (typeof states)[number] | undefined {
  if (record === null) return 'clear';
  const word = stateOfRelationship(record);
  return states.find((state) => word === state || word === `${state}s`);
}
