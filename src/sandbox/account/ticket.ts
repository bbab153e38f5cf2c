import type { FolderIdentity } from '../process/folder.ts';

/** The parameter of an authorization request, and of the sign-in page, that carries a ticket. */
export const ticketParameter = 'ticket';

/**
 * Draws what lets a browser choose an account without its password, once and within ten minutes. Only a program that can
 * read the data folder can make one.
 */
export function drawTicket(_folder: FolderIdentity): string {
  return '';
}
