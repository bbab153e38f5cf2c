import type { ToolFile } from '../support/tool-file.ts';
import { mutationId } from '../support/written.ts';

export default {
  written: [
    { said: { clientMutationId: mutationId } },
    { said: { submissionId: 's1', kind: 'edit', limit: '4' } },
  ],
  unguarded: 'notes on this machine what it has learnt of a change',
  needsAccount: true,
  call: async (workshop) => ({ clientMutationId: await workshop.settled() }),
} satisfies ToolFile;
