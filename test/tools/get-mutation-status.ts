import type { ToolFile } from '../support/tool-file.ts';
import { mutationId } from '../support/written.ts';

export default {
  written: [
    { said: { clientMutationId: mutationId } },
    { said: { submissionId: 's1', kind: 'edit', limit: '4' } },
  ],
  call: async (workshop) => ({ clientMutationId: await workshop.settled() }),
} satisfies ToolFile;
