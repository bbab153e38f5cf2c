import { z } from 'zod';
import type { Json } from '../canonical-json.ts';
import type { ArtworkError } from '../errors.ts';
import type { ServiceVerdict } from '../ledger/entry.ts';

/** What the service shows of a mutation whose outcome is not known. */
export type Finding =
  | {
      readonly found: 'ended';
      readonly outcome: ServiceVerdict;
      readonly kept: StoredReceipt;
      readonly error?: ArtworkError | undefined;
    }
  /** The service has it and works on it. */
  | { readonly found: 'working'; readonly kept: StoredReceipt }
  /** `final`: no later look can tell more. */
  | {
      readonly found: 'nothing';
      readonly by: 'lookup' | 'read_back';
      readonly says: string;
      readonly final: boolean;
      /** A hint that settles nothing; left out: there is none. */
      readonly certainty?: 'likely' | undefined;
    };

const evidence = z.object({
  /**
   * `receipt`: the service's answer to the request itself; `lookup`: its own record of the id;
   * `read_back`: the resource as it is now, compared with what was meant.
   */
  by: z.enum(['receipt', 'lookup', 'read_back']),
  certainty: z.enum(['certain', 'likely', 'unknown']),
  says: z.string(),
});

type NothingFound = Extract<Finding, { found: 'nothing' }>;

/** A look at the service that has shown nothing of the mutation. `final`: no later look can tell more. */
export function nothingFound(by: NothingFound['by'], says: string, final: boolean): NothingFound {
  return { found: 'nothing', by, says, final };
}

/** What an outcome rests on. */
export type Evidence = Readonly<z.output<typeof evidence>>;

const coded = z.object({ code: z.string(), message: z.string() });

/** Something that a careful person would want to know beside the outcome. */
export type Warning = Readonly<z.output<typeof coded>>;

const storedItem = z.object({
  itemId: z.string(),
  status: z.string().nullable(),
  assetId: z.string().nullable(),
  error: coded.nullable(),
});

/** How one item of a submission stands, in the service's words. */
export type StoredItem = Readonly<z.output<typeof storedItem>>;

const json: z.ZodType<Json> = z.json();

const receiptSchema = z.object({
  /** The service's record, or what it says of the mutation. */
  receipt: json,
  updatedAt: z.string().nullable(),
  publicationStatus: z.string().nullable(),
  evidence,
  warnings: z.array(coded),
  /** Of the Set, as the service shows it at the end. */
  title: z.string().optional(),
  /** Of a submission, in the order of the service. */
  items: z.array(storedItem).optional(),
});

/** What the ledger keeps of how a mutation ended, beside the outcome and the error. */
export type StoredReceipt = Readonly<z.output<typeof receiptSchema>>;

/** Longer ones would crowd out the rest of an answer. Characters of JSON. */
const longestReceipt = 8_000;

/** A receipt as the ledger keeps it, shortened where it is long. */
export function storeReceipt(kept: StoredReceipt): Json {
  return { ...kept, receipt: shortened(kept.receipt) };
}

/**
 * The receipt that the ledger kept, with the items of a submission; null where nothing was kept, or by a version
 * that kept it otherwise.
 */
export function readStoredReceipt(receipt: Json): StoredReceipt | null {
  const parsed = receiptSchema.safeParse(receipt);
  return parsed.success ? parsed.data : null;
}

const withoutItems = receiptSchema.omit({ items: true });

/** The receipt that the ledger kept, without the items of a submission, which can be many. */
export function readStoredReceiptOnly(receipt: Json): Omit<StoredReceipt, 'items'> | null {
  const parsed = withoutItems.safeParse(receipt);
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

/** Deep enough for every record of the interface document. */
const deepest = 40;

/** What came over the wire or from a call, as what the ledger can hold; what JSON has no word for is null. */
export function asJson(value: unknown, depth = 0): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      // No JSON has a negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object': {
      if (value === null || depth > deepest) return null;
      if (Array.isArray(value)) return value.map((item) => asJson(item, depth + 1));
      return asJsonObject(value, depth);
    }
    default:
      return null;
  }
}

/** Members that are undefined are left out. */
export function asJsonObject(value: object, depth = 0): { readonly [member: string]: Json } {
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push([name, asJson(member, depth + 1)]);
  }
  return Object.fromEntries(members);
}
