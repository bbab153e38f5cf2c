import type { ToolFile } from '../support/tool-file.ts';
import { mutationId } from '../support/written.ts';

export default {
  wishes: {
    spoken: [{ said: 'Did my upload go through?' }, { said: 'Is the upload finished yet?' }],
    asked: [{ said: 'Has my set been created successfully?', query: 'status of set creation' }],
    heldApart: [
      { said: 'Is that change through?', query: 'check status of change' },
      { said: 'How far is my set?', query: 'upload progress status' },
    ],
  },
  written: [
    { said: { clientMutationId: mutationId } },
    { said: { submissionId: 's1', kind: 'edit', limit: '4' } },
  ],
  unguarded: 'notes on this machine what it has learnt of a change',
  needsAccount: true,
  call: async (workshop) => ({ clientMutationId: await workshop.settled() }),
} satisfies ToolFile;
