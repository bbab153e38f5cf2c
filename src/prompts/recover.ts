import { definePrompt, quotedForPrompt } from './prompt.ts';

export const recoverPrompt = definePrompt({
  name: 'recover',
  title: 'Go on with what was interrupted',
  description: 'Finds out what became of changes that are not settled, and finishes them',
  toolsets: ['me', 'curate', 'account'],
  changes: true,
  arguments: {
    clientMutationId: {
      description: 'the id of one change; left out: all that are open',
    },
  },
  text({ clientMutationId: id }) {
    const what = id === null ? 'the changes that are not settled' : `the change ${quotedForPrompt(id)}`;
    const first =
      id === null
        ? '`list_mutations` with state "open"; follow nextCursor. Then for each, the oldest first:'
        : 'Then:';
    return `Find out what became of ${what}, and finish what can be finished.

1. \`account_status\`: if the connection has ended, \`connect_account\` first.
2. ${first}
3. \`get_mutation_status\` with its clientMutationId. Wait for its answer before you do anything else.
4. Follow \`next\` to the letter: \`resume_mutation\` where it names it, with the same id. Mind \`doNot\`.
5. If \`next\` names no tool, a person has to act: tell me what it says, and leave it.

Never take a new id, upload again or change the intent of something whose outcome is unknown. At the end tell me, one line each, what is settled and what is left to me.`;
  },
});
