import { randomBytes } from 'node:crypto';
import { epochSeconds } from '../oauth/storage.ts';
import type { FolderIdentity } from '../process/identity.ts';
import type { Database } from '../store/database.ts';

/** The parameter of an authorization request, and of the sign-in page, that carries a ticket. */
export const ticketParameter = 'ticket';

/** As long as a sign-in waits for a person. */
const lifetimeSeconds = 10 * 60;

/**
 * Draws what lets a browser choose an account without its password, once. Only a program that can read the data folder
 * can make one, so that it speaks for the person whose folder it is. It has to reach the browser by a way that no other
 * user of the machine can read: not on a command line.
 */
export function drawTicket(identity: FolderIdentity): string {
  const facts = [String(epochSeconds() + lifetimeSeconds), randomBytes(16).toString('hex')];
  return [...facts, identity.prove('sign-in', facts)].join('.');
}

export interface Tickets {
  draw(): string;
  /** Whether it was drawn for this data folder and has not expired. It may be spent. */
  isGenuine(ticket: string): boolean;
  /** Whether it can still be spent. */
  isGood(ticket: string): boolean;
  /** Answers true the first time for a good one, and false from then on, also after a restart. */
  spend(ticket: string): boolean;
}

export function openTickets(database: Database, identity: FolderIdentity): Tickets {
  const read = (ticket: string) => {
    const [until = '', nonce = '', proof = ''] = ticket.split('.');
    const isProven = /^\d{1,12}$/.test(until) && identity.isProof(proof, 'sign-in', [until, nonce]);
    return isProven && Number(until) > epochSeconds() ? { until: Number(until), nonce } : null;
  };
  const model = 'SpentTicket';
  return {
    draw: () => drawTicket(identity),
    isGenuine: (ticket) => read(ticket) !== null,
    isGood(ticket) {
      const known = read(ticket);
      if (known === null) return false;
      const spent = database.first(
        'SELECT id FROM oauth_records WHERE model = ? AND id = ?',
        model,
        known.nonce,
      );
      return spent === undefined;
    },
    spend(ticket) {
      const known = read(ticket);
      if (known === null) return false;
      const added = database.run(
        "INSERT INTO oauth_records (model, id, payload, expires_at) VALUES (?, ?, '{}', ?) ON CONFLICT DO NOTHING",
        model,
        known.nonce,
        known.until,
      );
      return added === 1;
    },
  };
}
