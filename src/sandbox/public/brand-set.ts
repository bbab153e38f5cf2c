import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';

export function readBrandSet(premises: Premises, id: number) {
  const { fields } = readSetHead(premises, 'brand_set', id);
  const artwork = setArtwork(premises, id);
  const members = (kind: 'network' | 'company') =>
    premises.database
      .all(
        `SELECT t.id, t.title FROM brand_set_members m JOIN targets t ON t.kind = m.kind AND t.id = m.id
         WHERE m.set_id = ? AND m.kind = ? ORDER BY m.position`,
        id,
        kind,
      )
      .map((member) => ({
        id: member.integer('id'),
        name: member.text('title'),
        ...artwork(kind, member.integer('id')),
      }));
  return { ...fields, networks: members('network'), companies: members('company') };
}
