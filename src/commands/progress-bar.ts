const width = 20;

/** A bar for a terminal. @param share of the work that is done, from 0 to 1 */
export function progressBar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
}
