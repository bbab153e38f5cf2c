import { definePrompt } from '../mcp/prompts.ts';
import { slotsOf } from '../model/kinds.ts';
import { nothingIsDeleted, quotedForPrompt } from './wording.ts';

export const curateShow = definePrompt({
  name: 'curate_show',
  title: 'Look after a show',
  description: 'What the Sets of a show have and lack, season by season, and how to mend it',
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
      required: false,
      completed: {
        from: 'words',
        words: [...new Set([...slotsOf('show'), ...slotsOf('season'), ...slotsOf('episode')])],
      },
    },
  },
  text: ({
    show,
    slot,
  }) => `Look after the artwork of the show ${quotedForPrompt(show)}${slot === null ? '' : `, only its slot ${quotedForPrompt(slot)}`}.

1. Find it with \`find_titles\` (kind "show"); an id in brackets is taken as it is. Where several fit, ask me which.
2. Read what its Sets have and lack with \`audit_sets\` (targetKind "show" and its id). Tell me per season, in a few lines.
3. Show me what is in question with \`view_artwork\`.
4. For what I want to mend in a Set of mine, call \`plan_set\` as the audit names it, with the folder that I give; ask me what it asks.
5. Then \`new_mutation_ids\`, \`edit_set\` with dryRun, and after my yes without it. Follow \`next\` until there is none.

${nothingIsDeleted}`,
});
