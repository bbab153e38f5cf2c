import { type Html, html } from './html.ts';

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** A moment, for people. @param iso ISO 8601 UTC. */
export function time(iso: string): Html {
  return html`<time datetime="${iso}">${format.format(new Date(iso))} UTC</time>`;
}
