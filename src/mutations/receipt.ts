import { z } from 'zod';
import { canonicalAnswer, type Json } from '../canonical-json.ts';
import type { ArtworkError } from '../errors.ts';
import { type KeptError, keptError } from '../ledger/rows.ts';

const coded = z.object({ code: z.string(), message: z.string() });

/** A thing that a careful person would want to know beside the outcome. */
export type Warning = Readonly<z.output<typeof coded>>;

const receiptItem = z.object({
  itemId: z.string(),
  status: z.string().nullable(),
  assetId: z.string().nullable(),
  error: coded.nullable(),
});

/** How one item of a submission stands, in the service's words. */
export type ReceiptItem = Readonly<z.output<typeof receiptItem>>;

const json: z.ZodType<Json> = z.json();

const receiptSchema = z.object({
  /** The service's record. */
  record: json,
  /** What was made or changed; null where it does not say. */
  savedId: z.string().nullable(),
  /** The revision afterwards. */
  updatedAt: z.string().nullable(),
  publicationStatus: z.string().nullable(),
  warnings: z.array(coded),
  /** Of a submission, in the order of the service. */
  items: z.array(receiptItem).optional(),
});

/** What is kept of the service's word. */
export type Receipt = Readonly<z.output<typeof receiptSchema>>;

/** Longer records would crowd out the rest of an answer. Characters of JSON. */
const longestRecord = 8_000;

/** A receipt as the ledger keeps it, its record shortened where it is long. */
export function storeReceipt(receipt: Receipt): Json {
  return asJson({ ...receipt, record: shortened(receipt.record) });
}

/** The receipt that the ledger kept; null where nothing was kept. */
export function readStoredReceipt(kept: Json): Receipt | null {
  const parsed = receiptSchema.safeParse(kept);
  return parsed.success ? parsed.data : null;
}

/** An error as the ledger keeps it: without its cause, which may carry secrets, and without the call that leads on. */
export function keptErrorOf({ code, failure, message, status, details, issues }: ArtworkError): KeptError {
  return keptError.parse(asJson({ code, failure, message, status, details, issues }));
}

function shortened(record: Json): Json {
  if (JSON.stringify(record).length <= longestRecord) return record;
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return null;
  const short = Object.entries(record).filter(
    ([, value]) => (typeof value !== 'object' || value === null) && String(value).length <= 300,
  );
  return Object.fromEntries(short.slice(0, 40));
}

/** What came over the wire or from a call, as what the ledger can hold; what JSON has no word for is null. */
export function asJson(value: unknown): Json {
  return JSON.parse(canonicalAnswer(value));
}
