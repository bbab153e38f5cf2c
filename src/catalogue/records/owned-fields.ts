import { z } from 'zod';

/** Text, says the interface document. A number would still tell one revision from another, so it is kept. */
export const updatedAt = z.union([z.string(), z.number()]).nullish();
