import { z } from 'zod';
import { path } from '../path.ts';
import { assetGroups, date, id, metadataImages, text } from './fields.ts';

/** Interface document, Resources: Person. */
export const person = {
  kind: 'person',
  path: (personId: number | string) => path`/people/${personId}`,
  schema: z.looseObject({
    id,
    kind: text,
    name: text,
    biography: text,
    birthday: date,
    deathday: date,
    placeOfBirth: text,
    knownForDepartment: text,
    homepage: text,
    metadataImages: metadataImages('profile'),
    assets: assetGroups('posters'),
  }),
} as const;

export type Person = z.infer<typeof person.schema>;
