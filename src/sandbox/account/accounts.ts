import type { Context } from '../context.ts';
import type { Answer } from '../http.ts';
import { type Content, html, page } from './page.ts';

export interface Account {
  readonly id: number;
  readonly name: string;
}

export function accountsOf({ store }: Context): Account[] {
  const rows = store.all('SELECT id, name FROM accounts ORDER BY id');
  return rows.map((row) => ({ id: row.integer('id'), name: row.text('name') }));
}

/** The account with this id, as an address or a form has it. */
export function accountOf(context: Context, id: string | null): Account | undefined {
  return accountsOf(context).find((account) => String(account.id) === id);
}

/**
 * Lets a person say who they are. There is no password: nothing here belongs to anybody, and a page of another site
 * can send nothing to these pages.
 * @param addressOf where the choice of an account leads
 */
export function chooseAccount(context: Context, purpose: Content, addressOf: (id: number) => string): Answer {
  const accounts = accountsOf(context).map(
    ({ id, name }) => html`<li><a class="button" href="${addressOf(id)}">${name}</a></li>`,
  );
  const main = html`<div class="card">
<h1>Choose an account</h1>
<p class="soft">${purpose}</p>
<ul class="accounts">${accounts}</ul>
<p class="soft small">They are made-up artists, who came with this catalogue. It asks for no password.</p>
</div>`;
  return page({ title: 'Choose an account', width: 'narrow', main });
}
