/** A number of the environment, or the given one. @throws Error for anything else */
export function numberFrom(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number.`);
  return Number(text);
}
