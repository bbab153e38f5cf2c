import { definePrompt, quotedForPrompt } from './prompt.ts';

export const onboard = definePrompt({
  name: 'onboard',
  title: 'Get to know the catalogue',
  description: 'A first look: what is here, what can be done with it, and what a person sets up',
  toolsets: ['catalogue', 'account'],
  changes: false,
  arguments: {
    title: {
      description: 'a show, film or game to look at',
      completed: { from: 'titles', kind: null },
    },
  },
  text({ title }) {
    const find =
      title === null ? 'Ask me for a title that I like, and find it' : `Find ${quotedForPrompt(title)}`;
    return `Show me what I can do with this artwork catalogue, step by step. Wait for me between the steps.

1. \`account_status\`: tell me which service this is, and whether an account is connected. The embedded catalogue is only on this machine, so I can try everything there.
2. ${find} with \`find_titles\`. Read it with \`get_entity\`, and one of its Sets with \`get_set\`.
3. Show me that Set with \`view_artwork\`.
4. Offer to save it with \`download_set\` and dryRun, in the layout of my media server. If that is refused, tell me to set ARTWORK_DOWNLOAD_ROOT.
5. Ask whether I make artwork myself. If I do: \`connect_account\`. Tell me that \`plan_set\` reads folders below ARTWORK_UPLOAD_ROOTS and sends nothing.
6. Tell me of the prompts curate_show, make_title_card_set, weekly_review and recover.

Change nothing on the service.`;
  },
});
