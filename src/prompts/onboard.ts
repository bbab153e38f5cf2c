import { definePrompt } from '../mcp/prompts.ts';
import { quotedForPrompt } from './wording.ts';

export const onboard = definePrompt({
  name: 'onboard',
  title: 'Get to know the catalogue',
  description: 'A first look: what is here, what can be done with it, and what a person sets up for it',
  toolsets: ['catalogue', 'account'],
  changes: false,
  arguments: {
    title: {
      description: 'a show, film or game to look at',
      required: false,
      completed: { from: 'titles', kind: null },
    },
  },
  text: ({
    title,
  }) => `Show me what I can do with this artwork catalogue, step by step, and wait for me between the steps.

1. \`account_status\`: tell me which service this is and whether an account is connected. The embedded catalogue publishes nothing, so everything can be tried there.
2. ${title === null ? 'Ask me for a title that I like, and find it' : `Find ${quotedForPrompt(title)}`} with \`find_titles\`; read it with \`get_entity\`, and one of its Sets with \`get_set\`.
3. Show me that Set with \`view_artwork\`.
4. Offer to save it with \`download_set\` and dryRun, in the layout of my media server. Where it is refused, tell me to set ARTWORK_DOWNLOAD_ROOT.
5. Ask whether I make artwork myself. If so: \`connect_account\`, and tell me that \`plan_set\` reads folders below ARTWORK_UPLOAD_ROOTS and sends nothing.
6. Tell me of the prompts curate_show, make_title_card_set, weekly_review and recover.

Change nothing on the service.`,
});
