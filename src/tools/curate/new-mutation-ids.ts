import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { integerWithin } from '../../mcp/arguments.ts';
import { defineTool, readOnly } from '../../mcp/tool.ts';

export const newMutationIds = defineTool({
  name: 'new_mutation_ids',
  title: 'New mutation ids',
  toolset: 'curate',
  description:
    'Get a clientMutationId for each new change. To repeat a change, or to ask about it, use its own id.',
  searchHint: 'uuid identity for upload edit creation',
  annotations: { ...readOnly, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ count: integerWithin(1, 50).meta({ description: 'how many', brief: '' }) }),
  output: z.object({ ids: z.array(z.string()) }),
  async run({ count }) {
    return { structured: { ids: Array.from({ length: count }, () => randomUUID()) } };
  },
});
