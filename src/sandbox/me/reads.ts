import type { Premises } from '../premises.ts';
import { readOwnedAsset } from './assets.ts';
import { findDestinations, scopesForDestinations } from './destinations.ts';
import { readOwnedGroup } from './groups.ts';
import type { Operation } from './operation.ts';
import { privateAnswer } from './protected-error.ts';
import { readRelationships } from './relationships.ts';
import { readOwnedSet } from './sets.ts';

/** The protected reads, with their scopes (the interface document, Endpoints). */
export function ownerReads({ database, now }: Premises): readonly Operation[] {
  return [
    {
      method: 'GET',
      path: '/me/assets/{assetId}',
      needed: () => ({ any: ['assets:write', 'assets:replace'] }),
      answer: ({ values }, caller) =>
        privateAnswer(200, { data: readOwnedAsset(database, caller, values.text('assetId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/sets/{setId}',
      needed: () => ({ every: ['sets:write'] }),
      answer: ({ values }, caller) =>
        privateAnswer(200, { data: readOwnedSet(database, caller, values.integer('setId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/groups/{groupId}',
      needed: () => ({ every: ['groups:write'] }),
      answer: ({ values }, caller) =>
        privateAnswer(200, { data: readOwnedGroup(database, caller, values.integer('groupId'), now()) }),
    },
    {
      method: 'GET',
      path: '/me/upload-destinations',
      needed: ({ query }) => scopesForDestinations(query),
      answer: ({ query }, caller) => privateAnswer(200, { data: findDestinations(database, caller, query) }),
    },
    {
      method: 'GET',
      path: '/me/relationships',
      needed: () => ({ every: ['relationships:write'] }),
      answer: (_, caller) => privateAnswer(200, { data: readRelationships(database, caller) }),
    },
  ];
}
