type Given = Readonly<Record<string, unknown>>;

/** Where the revision that a change rests on is read. */
export type RevisionRule =
  /** Nothing that exists is changed. */
  | { readonly of: 'nothing' }
  /** `get_owned` shows it; `id` is undefined where the argument that names the record is missing. */
  | { readonly of: 'owned'; readonly type: 'asset' | 'set' | 'group'; readonly id: unknown }
  | { readonly of: 'relationship' };

/** Tells it from the arguments at hand, which may be anything. */
export type RevisionSource = (given: Given) => RevisionRule;

export const ofNothing: RevisionSource = () => ({ of: 'nothing' });

export const ofRelationship: RevisionSource = () => ({ of: 'relationship' });

export function ofOwned(type: 'asset' | 'set' | 'group', argument: string): RevisionSource {
  return (given) => ({ of: 'owned', type, id: given[argument] });
}
