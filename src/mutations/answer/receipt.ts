import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';

const coded = z.object({ code: z.string(), message: z.string() });
const json: z.ZodType<Json> = z.json();

const keptReceipt = z.object({
  record: json,
  savedId: z.string().nullable(),
  updatedAt: z.string().nullable(),
  publicationStatus: z.string().nullable(),
  warnings: z.array(coded).catch([]),
  title: z.string().optional(),
  items: z
    .array(
      z.object({
        itemId: z.string(),
        status: z.string().nullable(),
        assetId: z.string().nullable(),
        error: coded.nullable(),
      }),
    )
    .optional(),
});

/** The service's word as the ledger keeps it. */
export type KeptReceipt = Readonly<z.output<typeof keptReceipt>>;

/** What the ledger kept of the service's word; null where it kept nothing, or another version did. */
export function readReceipt(receipt: Json): KeptReceipt | null {
  return keptReceipt.safeParse(receipt).data ?? null;
}
