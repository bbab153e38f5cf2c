/** The year of a `YYYY-MM-DD` date; null when the date is not known. */
export function yearOf(date: string | null): number | null {
  return date === null ? null : Number(date.slice(0, 4));
}
