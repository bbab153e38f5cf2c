/** Ways in which something secret may stand in a file, a log or a frame; each betrays it. */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'latin1');
  const all = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...[0, 1, 2].map((lead) => insideBase64(bytes, lead)),
  ];
  return [...new Set(all)];
}

/** What base64 makes of it behind so many other bytes, without the letters that depend on its neighbours. */
function insideBase64(bytes: Buffer, lead: number): string {
  const text = Buffer.concat([Buffer.alloc(lead), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  return text.slice(lead === 0 ? 0 : lead + 1, -2);
}
