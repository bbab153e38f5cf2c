import { curateShow } from './curate-show.ts';
import { makeTitleCardSet } from './make-title-card-set.ts';
import { onboard } from './onboard.ts';
import type { Prompt } from './prompt.ts';
import { recoverPrompt } from './recover.ts';
import { weeklyReview } from './weekly-review.ts';

/** The one list of prompts, in the order hosts see them. */
export const prompts: readonly Prompt[] = [
  onboard,
  curateShow,
  makeTitleCardSet,
  weeklyReview,
  recoverPrompt,
];
