import { slotsOf } from '../model/kinds.ts';
import { definePrompt, nothingIsDeleted, quotedForPrompt } from './prompt.ts';

const slots = new Set([...slotsOf('show'), ...slotsOf('season'), ...slotsOf('episode')]);

export const curateShow = definePrompt({
  name: 'curate_show',
  title: 'Look after a show',
  description: 'What the Sets of a show have and lack, season by season, and how to complete it',
  toolsets: ['catalogue', 'me', 'curate'],
  changes: true,
  arguments: {
    show: {
      description: 'the title of the show',
      required: true,
      completed: { from: 'titles', kind: 'show' },
    },
    slot: {
      description: 'only this kind of artwork, such as titlecard',
      completed: { from: 'words', words: [...slots] },
    },
  },
  text({ show, slot }) {
    const only = slot === null ? '' : `, only its slot ${quotedForPrompt(slot)}`;
    return `Look after the artwork of the show ${quotedForPrompt(show)}${only}.

1. Find it with \`find_titles\` (kind "show"). A number in brackets is its id. If several fit, ask me which.
2. Check its Sets with \`audit_sets\` (targetKind "show" and its id). Tell me per season what they have and lack, in a few lines.
3. Show me doubtful pictures with \`view_artwork\`.
4. For what I want to add to a Set of mine, call \`plan_set\` as the audit says, with the folder that I give. Ask me what it asks.
5. \`new_mutation_ids\` (one), then \`edit_set\` with dryRun. After my yes, the same call without it. Follow \`next\` until there is none.

${nothingIsDeleted}`;
  },
});
