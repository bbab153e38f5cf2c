import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { defineTool, readOnly } from '../../mcp/tool.ts';

export const newMutationIds = defineTool({
  name: 'new_mutation_ids',
  title: 'New mutation ids',
  toolset: 'curate',
  description:
    'Draws UUIDs for clientMutationId, one for each change you are about to make. Keep using the same id when you ask about that change or repeat its call; never a new one for a change whose outcome is unknown.',
  annotations: { ...readOnly, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ count: z.int().min(1).max(50).describe('how many') }),
  output: z.object({ ids: z.array(z.string()) }),
  async run({ count }) {
    return { structured: { ids: Array.from({ length: count }, () => randomUUID()) } };
  },
});
