import { codeOf, keyOfTarget } from '../../../model/target.ts';
import { folderOfSeason, workName } from '../file-names.ts';
import type { KeptLayout } from './layout.ts';

/** Names that plan_set reads: the folder can be planned again as it is. */
export const original: KeptLayout = {
  reader: null,
  words: 'original',
  types: ['png', 'jpeg', 'webp', 'gif'],
  nameOf(target) {
    switch (target.kind) {
      case 'season':
        return target.season === null ? keyOfTarget(target) : folderOfSeason(target.season);
      case 'episode':
        return target.season === null ? keyOfTarget(target) : codeOf(target) || keyOfTarget(target);
      case 'collection': {
        // Without that word it could be one of the films.
        const name = workName(target);
        return /\bcollection$/i.test(name) ? name : `${name} Collection`;
      }
      // Their own folder has the name.
      case 'show':
      case 'game':
      case 'boxset':
      case 'loadout':
        return null;
      default:
        return workName(target);
    }
  },
};
