import { slotsWords } from '../model/slots.ts';
import { definePrompt, nothingIsDeleted, quotedForPrompt } from './prompt.ts';

const cards = slotsWords('titlecard');
const languages = 'en de es fr it ja ko nl pl pt pt-BR ru sv tr uk zh'.split(' ');

export const makeTitleCardSet = definePrompt({
  name: 'make_title_card_set',
  title: `Make a Set of ${cards}`,
  description: `A folder of ${cards} becomes a Set of a show`,
  toolsets: ['catalogue', 'me', 'curate', 'account'],
  changes: true,
  arguments: {
    show: {
      description: 'the title of the show',
      required: true,
      completed: { from: 'titles', kind: 'show' },
    },
    folder: {
      description: 'the folder with the pictures, below one that is open for uploads',
      required: true,
      completed: { from: 'upload roots' },
    },
    language: {
      description: 'the language on the cards, such as en',
      completed: { from: 'words', words: languages },
    },
  },
  text({ show, folder, language }) {
    const code =
      language === null
        ? '. Ask me for the language first: it is languageCode'
        : ` and languageCode ${quotedForPrompt(language)}`;
    return `Make a Set of ${cards} for the show ${quotedForPrompt(show)} from the pictures in ${quotedForPrompt(folder)}.

1. \`account_status\`: if no account is connected, \`connect_account\`.
2. Find the show with \`find_titles\` (kind "show"). A number in brackets is its id. If several fit, ask me which.
3. \`plan_set\` with the folder, entryTargetKind "show", entryTargetId, slot "titlecard"${code}. Ask me what it asks; never guess which file is for what.
4. Show me doubtful pictures with \`view_artwork\` and the planId. Ask me for the title of the Set, and whether it is complete (finalised).
5. \`create_media_set\` with dryRun, as \`next\` of the plan has it: the plan brings the id. Tell me what it would send, and what is missing.
6. After my yes, the same call without dryRun, then \`get_mutation_status\` until it is settled. Follow \`next\`; never take a new id for the same Set.
7. Show me the Set with \`view_artwork\` once public reads show it.

${nothingIsDeleted}`;
  },
});
