import { ArtworkError, type Next } from '../../errors.ts';

type Owned = 'asset' | 'set' | 'group';

/** The record; where there is none of its id, the error says where such ids are found. */
export async function withIdHint<Found>(reading: Promise<Found>, type: Owned): Promise<Found> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.category !== 'not_found') throw error;
    const { words, next } = where[type];
    const { message, code, status, details, issues } = error;
    const facts = { code, status, details, issues, next: error.next ?? next, cause: error };
    throw new ArtworkError('not_found', `${message} ${words}`, facts);
  }
}

const where: Readonly<Record<Owned, { readonly words: string; readonly next?: Next }>> = {
  asset: { words: 'get_owned of a Set or group lists the ids of its Assets.' },
  set: foundBy('media_set', 'It lists your Sets with their ids (kind talent_set: your Talent Sets).'),
  group: foundBy('boxset', 'It lists your Boxsets with their ids (family game: your Loadouts).'),
};

function foundBy(kind: 'media_set' | 'boxset', why: string): { readonly words: string; readonly next: Next } {
  const next = { tool: 'find_upload_destinations', arguments: { kind }, why };
  return { words: 'find_upload_destinations finds the ids.', next };
}
