import { z } from 'zod';
import type { Json } from '../canonical-json.ts';
import type { Evidence, Warning } from './evidence.ts';

/** How one item of a submission stands, in the service's words. */
export interface StoredItem {
  readonly itemId: string;
  readonly status: string | null;
  readonly assetId: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** What the ledger keeps of how a mutation ended, beside the outcome and the error. */
export interface StoredReceipt {
  /** The service's record, or what it says of the mutation. */
  readonly receipt: Json;
  readonly updatedAt: string | null;
  readonly publicationStatus: string | null;
  readonly evidence: Evidence;
  readonly warnings: readonly Warning[];
  /** Of the Set, as the service shows it at the end. */
  readonly title?: string | undefined;
  /** Of a submission, in the order of the service. */
  readonly items?: readonly StoredItem[] | undefined;
}

const json: z.ZodType<Json> = z.json();

const schema = z.object({
  receipt: json,
  updatedAt: z.string().nullable(),
  publicationStatus: z.string().nullable(),
  evidence: z.object({
    by: z.enum(['receipt', 'lookup', 'read_back']),
    certainty: z.enum(['certain', 'likely', 'unknown']),
    says: z.string(),
  }),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  title: z.string().optional(),
  items: z
    .array(
      z.object({
        itemId: z.string(),
        status: z.string().nullable(),
        assetId: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    )
    .optional(),
});

/** Longer ones would crowd out the rest of an answer. Characters of JSON. */
const longestReceipt = 8_000;

/** A receipt as the ledger keeps it, shortened where it is long. */
export function storeReceipt(kept: StoredReceipt): Json {
  return {
    ...kept,
    receipt: shortened(kept.receipt),
    evidence: { ...kept.evidence },
    warnings: kept.warnings.map((warning) => ({ ...warning })),
    items: kept.items?.map(({ error, ...item }) => ({
      ...item,
      error: error === null ? null : { ...error },
    })),
  };
}

/**
 * The receipt that the ledger kept, with the items of a submission; null where nothing was kept, or by a version
 * that kept it otherwise.
 */
export function readStoredReceipt(receipt: Json): StoredReceipt | null {
  const parsed = schema.safeParse(receipt);
  return parsed.success ? parsed.data : null;
}

const ofReceipt = schema.pick({ receipt: true, evidence: true, title: true });

/** The receipt that the ledger kept, without the items of a submission, which can be many. */
export function readStoredReceiptOnly(
  receipt: Json,
): Pick<StoredReceipt, 'receipt' | 'evidence' | 'title'> | null {
  const parsed = ofReceipt.safeParse(receipt);
  return parsed.success ? parsed.data : null;
}

function shortened(receipt: Json): Json {
  if (JSON.stringify(receipt).length <= longestReceipt) return receipt;
  if (typeof receipt !== 'object' || receipt === null || Array.isArray(receipt)) return null;
  const short = Object.entries(receipt).filter(
    ([, value]) => (typeof value !== 'object' || value === null) && String(value).length <= 300,
  );
  return Object.fromEntries(short.slice(0, 40));
}
