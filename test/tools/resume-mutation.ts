import type { ToolFile } from '../support/tool-file.ts';
import { first, mutationId } from '../support/written.ts';

export default {
  written: [
    { said: { ...first } },
    { said: { clientMutationId: mutationId, expectedUpdatedAt: null, dryRun: true } },
  ],
  call: async (workshop) => ({ clientMutationId: await workshop.settled(), expectedUpdatedAt: null }),
} satisfies ToolFile;
