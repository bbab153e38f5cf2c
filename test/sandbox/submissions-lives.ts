/**
 * The ways of a submission through the States section of the interface document, from its admission to its
 * end. Both sides are shown by them: that the catalogue goes these ways and no other, and that our tools tell
 * them as they are. (Uploads of single Assets go theirs in faults.test.ts and uploads.test.ts, and are told of
 * in receipts.test.ts, same-id.test.ts and unresolved.test.ts of the mutations.)
 */
export interface Life {
  readonly name: string;
  readonly family: 'creation' | 'edit';
  /**
   * What becomes of each item's file: it `fits`; it is `refused` for good when it arrives; it is taken, and later
   * found `broken`. An item of an edit that brings none: its Asset's metadata are `relabelled`, or would be, had
   * it not changed meanwhile (`stale`).
   */
  readonly items: readonly ('fits' | 'refused' | 'broken' | 'relabelled' | 'stale')[];
  /** An edit may change the Set's own metadata too. */
  readonly metadata?: true;
  /** Whether its outcome is known at once, and what is told of it until then (States, 6). */
  readonly meanwhile: null | 'processing' | 'unresolved';
  /** The completion comes to nothing, although files have arrived. */
  readonly fails?: true;
  readonly outcome: 'succeeded' | 'partial' | 'failed' | 'rolled_back';
  /** The items' words in the end. */
  readonly end: readonly ('succeeded' | 'failed' | 'rolled_back')[];
}

type Short = Omit<Life, 'family' | 'meanwhile'> & { readonly meanwhile?: Life['meanwhile'] };

const creation = (life: Short): Life => ({ meanwhile: null, ...life, family: 'creation' });
const edit = (life: Short): Life => ({ meanwhile: null, ...life, family: 'edit' });

/** A way, and the same by way of each open state. */
const inEachWay = (life: Life): Life[] => [
  life,
  { ...life, name: `${life.name}, after a while`, meanwhile: 'processing' },
  { ...life, name: `${life.name}, after unresolved`, meanwhile: 'unresolved' },
];

export const lives: readonly Life[] = [
  ...inEachWay(
    creation({
      name: 'a creation succeeds',
      items: ['fits', 'fits'],
      outcome: 'succeeded',
      end: ['succeeded', 'succeeded'],
    }),
  ),
  // States, 5.
  ...inEachWay(
    creation({
      name: 'a creation is partial',
      items: ['fits', 'refused', 'broken'],
      outcome: 'partial',
      end: ['succeeded', 'failed', 'failed'],
    }),
  ),
  ...inEachWay(
    creation({
      name: 'a creation fails',
      items: ['refused', 'broken'],
      outcome: 'failed',
      end: ['failed', 'failed'],
    }),
  ),
  ...inEachWay(
    creation({
      name: 'a creation is rolled back',
      items: ['fits', 'refused'],
      fails: true,
      outcome: 'rolled_back',
      end: ['rolled_back', 'failed'],
    }),
  ),
  ...inEachWay(
    edit({
      name: 'an edit succeeds',
      items: ['fits', 'relabelled'],
      metadata: true,
      outcome: 'succeeded',
      end: ['succeeded', 'succeeded'],
    }),
  ),
  edit({
    name: 'an edit of metadata alone succeeds',
    items: [],
    metadata: true,
    outcome: 'succeeded',
    end: [],
  }),
  ...inEachWay(
    edit({
      name: 'an edit is partial',
      items: ['fits', 'refused', 'stale'],
      outcome: 'partial',
      end: ['succeeded', 'failed', 'failed'],
    }),
  ),
  // States, 4.
  edit({
    name: 'an edit saves its metadata alone',
    items: ['broken'],
    metadata: true,
    outcome: 'partial',
    end: ['failed'],
  }),
  ...inEachWay(
    edit({
      name: 'an edit fails',
      items: ['refused', 'broken', 'stale'],
      outcome: 'failed',
      end: ['failed', 'failed', 'failed'],
    }),
  ),
  // An edit is never rolled back: it was not applied before.
  ...inEachWay(
    edit({
      name: 'an edit comes to nothing',
      items: ['fits', 'relabelled'],
      metadata: true,
      fails: true,
      outcome: 'failed',
      end: ['failed', 'failed'],
    }),
  ),
];
