import { mapLimit } from '../../wire/map-limit.ts';
import type { Audit } from './audit.ts';
import type { NamedSet } from './audit-set.ts';

export interface AuditPage {
  readonly audits: readonly Audit[];
  /** Where the next page begins. */
  readonly end: number;
}

export interface Auditing {
  readonly offset: number;
  readonly limit: number;
  audit(named: NamedSet): Promise<Audit>;
  /** Characters of JSON that an audit takes in the answer. */
  sizeOf(audit: Audit): number;
  /** Whether one more Set may be begun. */
  hasTime(): boolean;
  progress(done: number): Promise<void>;
}

/** Sets at a time; each reads a few things at a time itself. */
const few = 3;
/** Characters of JSON. */
const pageBudget = 14_000;

/** As many Sets as the page, its characters and the call's time allow; one in any case, so that paging moves on. */
export async function auditPage(sets: readonly NamedSet[], auditing: Auditing): Promise<AuditPage> {
  const { offset, limit } = auditing;
  const last = Math.min(sets.length, offset + limit);
  const audits: Audit[] = [];
  let room = pageBudget;
  for (let at = offset; at < last; at += few) {
    if (audits.length > 0 && !auditing.hasTime()) return { audits, end: at };
    const found = await mapLimit(sets.slice(at, Math.min(at + few, last)), few, auditing.audit);
    for (const [index, audit] of found.entries()) {
      room -= auditing.sizeOf(audit);
      if (room < 0 && audits.length > 0) return { audits, end: at + index };
      audits.push(audit);
    }
    await auditing.progress(offset + audits.length);
  }
  return { audits, end: last };
}
