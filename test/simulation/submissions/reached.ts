import { misfortunesMet } from '../misfortunes.ts';

const steps = ['admission', 'transfer', 'completion'];
const kinds = ['creation', 'edit'];

/** What befalls each step of a submission. */
const befalling = [
  'not sent: STEP',
  'lost: STEP',
  'late: STEP',
  'asks for its lease again: STEP',
  'answer lost: STEP',
  'answer late: STEP',
  '401: STEP',
  '(403|429): STEP',
  '50[03]: STEP',
  'done, and answered 50[03]: STEP',
  'done, and answered 401: STEP',
  'done, and answered 429: STEP',
  'killed (before|after) send STEP',
  'stopped before (send|hear) STEP',
  '(killed|stopped) (before|after) hear STEP',
];

/** What a submission of each kind goes through. */
const undergone = [
  'admitted: KIND',
  'admitted before, the receipt again: KIND',
  'arrived: KIND',
  'turned away for good: KIND',
  'not completed, for what is pending: KIND',
  'completed succeeded: KIND',
  'completed partial: KIND',
  'completed (failed|rolled_back): KIND',
];

/**
 * What some hundred schedules must have met, or they show nothing; each has to be found among the names of what
 * really happened. What is rarer than ten in as many is named together with its like: any change of the code deals
 * out other fates.
 */
export const mustBeReached: readonly RegExp[] = [
  ...befalling.flatMap((what) => steps.map((step) => what.replace('STEP', step))),
  ...undergone.flatMap((what) => kinds.map((kind) => what.replace('KIND', kind))),
  'not completed, once: (creation|edit)',
  'completed before: (creation|edit)',
  'completed rolled_back: creation',
  'arrived before, .*: transfer',
  'late, and another process has begun: (admission|transfer|completion)',
  'two resume at once',
  'somebody else had it: before a request',
  'not found for a moment: status',
  ...['claimed', 'sending', 'processing'].flatMap((state) => [
    `killed (before|after) (put|set) ledger:${state}`,
    `stopped before (put|set) ledger:${state}`,
  ]),
  '(killed|stopped) (before|after) set ledger:(settled|unresolved)',
  '(killed|stopped) (before|after) keep ',
  '(killed|stopped) (before|after) free kept',
  'the access token ends',
  'the pictures in the folder change',
  'the pictures in the folder are deleted',
  'the kept bytes are deleted',
  'the disk is full for a while',
  'somebody else changes the Set',
  'somebody else changes an Asset',
  'given up',
  'a call is given up',
  'a host ends its server',
  'at a person: .*',
  'its id stands for another submission',
  'admitted and completed elsewhere: (creation|edit)',
  'kept back in its body: (admission|transfer|completion)',
  'done, and redirected: (admission|transfer|completion)',
  ...misfortunesMet,
].map((name) => new RegExp(`^${name}$`));
