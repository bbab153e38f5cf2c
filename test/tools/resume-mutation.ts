import type { ToolFile } from '../support/tool-file.ts';
import { first, mutationId } from '../support/written.ts';

export default {
  wishes: {
    spoken: [
      { said: 'Carry on with the upload that was interrupted yesterday' },
      { said: 'The power went out halfway, resume the upload' },
    ],
    asked: [{ said: 'My laptop crashed during the upload, continue it', query: 'resume interrupted upload' }],
    heldApart: [{ said: 'It stopped in the middle, go on', query: 'resume interrupted change' }],
  },
  written: [
    { said: { ...first } },
    { said: { clientMutationId: mutationId, expectedUpdatedAt: null, dryRun: true } },
  ],
  needsAccount: true,
  call: async (workshop) => ({ clientMutationId: await workshop.settled(), expectedUpdatedAt: null }),
} satisfies ToolFile;
