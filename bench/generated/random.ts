/** Numbers that a seed decides: the same seed gives the same ones on every machine. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from 0 to below `below`. */
  below(below: number): number;
  one<const T>(list: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
  /** A UUID, version 4 in form. */
  uuid(): string;
}

/** sfc32 by Chris Doty-Humphrey, its state drawn from the seed by xmur3. */
export function randomOf(seed: string): Random {
  const drawn = [hash(`${seed} a`), hash(`${seed} b`), hash(`${seed} c`)] as const;
  let [a, b, c] = drawn;
  let counter = 1;
  const bits = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) bits();
  const next = () => bits() / 4_294_967_296;
  const below = (limit: number) => Math.floor(next() * limit);
  const hexadecimal = () => bits().toString(16).padStart(8, '0');
  return {
    next,
    below,
    one: (list) => list[below(list.length)] ?? list[0],
    chance: (probability) => next() < probability,
    uuid() {
      const [x, y, z, last] = [hexadecimal(), hexadecimal(), hexadecimal(), hexadecimal()];
      const variant = '89ab'[Number.parseInt(z.slice(0, 1), 16) % 4];
      return `${x}-${y.slice(0, 4)}-4${y.slice(5)}-${variant}${z.slice(1, 4)}-${z.slice(4)}${last}`;
    },
  };
}

function hash(text: string): number {
  let value = 1_779_033_703 ^ text.length;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 3_432_918_353);
    value = (value << 13) | (value >>> 19);
  }
  value = Math.imul(value ^ (value >>> 16), 2_246_822_507);
  value = Math.imul(value ^ (value >>> 13), 3_266_489_909);
  return (value ^ (value >>> 16)) >>> 0;
}
