import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { epochSeconds } from '../oauth/connection.ts';
import type { FolderIdentity } from '../process/folder.ts';

/** The parameter of an authorization request, and of the sign-in page, that carries a ticket. */
export const ticketParameter = 'ticket';

/** As long as a sign-in waits for a person. */
const lifetimeSeconds = 10 * 60;

/**
 * Draws what lets a browser choose an account without its password, once and within ten minutes. Only a program that can
 * read the data folder can make one.
 */
export function drawTicket(folder: FolderIdentity): string {
  const facts = [String(epochSeconds() + lifetimeSeconds), randomBytes(16).toString('hex')];
  return [...facts, folder.prove('sign-in', facts)].join('.');
}

/** Whether it was drawn for this data folder, has not expired, and was not used for anything but `purpose`. */
export function isGoodTicket({ store, folder }: Context, ticket: string, purpose: string): boolean {
  const [until = '', nonce = '', proof = ''] = ticket.split('.');
  if (!folder.isProof(proof, 'sign-in', [until, nonce]) || Number(until) <= epochSeconds()) return false;
  const used = store.first("SELECT uid FROM oauth_records WHERE model = 'Ticket' AND id = ?", nonce);
  return used === undefined || used.text('uid') === purpose;
}

/** Uses a ticket, which is good for nothing else from then on. @returns whether it was good */
export function useTicket(context: Context, ticket: string, purpose: string): boolean {
  const [until, nonce = ''] = ticket.split('.');
  return context.store.transaction(() => {
    if (!isGoodTicket(context, ticket, purpose)) return false;
    context.store.run(
      `INSERT INTO oauth_records (model, id, payload, uid, expires_at) VALUES ('Ticket', ?, '{}', ?, ?)
       ON CONFLICT DO NOTHING`,
      nonce,
      purpose,
      Number(until),
    );
    return true;
  });
}
