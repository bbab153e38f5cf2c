import type { Owned } from '../../catalogue/owned.ts';
import type { Deadline } from '../../deadline.ts';
import { ArtworkError } from '../../errors.ts';
import { type OwnPicture, type OwnSet, ownSetOf } from '../../model/own-set.ts';

/** A picture that a Set of one's own has, where the Set shows which it is and what it is of. */
export interface HeldPicture extends OwnPicture {
  readonly assetId: string;
  readonly target: { readonly kind: string; readonly id: number };
}

/** A Set of one's own of which everything that it holds could be read. */
export interface HeldSet extends OwnSet {
  readonly pictures: readonly HeldPicture[];
}

/**
 * A Set of the connected account's own, with what it holds.
 * @throws ArtworkError as `readSet`; `bad_response` where the Set does not show what it holds
 */
export async function readHeldSet(
  owned: Pick<Owned, 'readSet'>,
  setId: number,
  deadline: Deadline,
): Promise<HeldSet> {
  const set = ownSetOf('set', setId, await owned.readSet(setId, deadline));
  const pictures = set.pictures.filter(isShown);
  // What can't be read might conflict with anything, so nothing is compared then.
  if (!set.isComplete || pictures.length < set.pictures.length) throw opaque(setId);
  return { ...set, pictures };
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function isShown(picture: OwnPicture): picture is HeldPicture {
  return picture.target !== null && picture.assetId !== null && uuid.test(picture.assetId);
}

function opaque(setId: number): ArtworkError {
  return new ArtworkError(
    'bad_response',
    `The service does not show what the Set ${setId} holds, so no edit of it can be planned: name the items to edit_set one by one.`,
  );
}
