/** A colour in OKLCH, where equal steps look equal: lightness 0–1, chroma 0–0.37, hue in degrees. */
export interface Colour {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

export function colour(l: number, c: number, h: number): Colour {
  return { l, c, h: ((h % 360) + 360) % 360 };
}

/** Red, green, blue, 0–255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** Reduces the chroma where sRGB can't show the colour, so that lightness and hue stay. */
export function rgb({ l, c, h }: Colour): Rgb {
  for (let chroma = c; chroma > 0.005; chroma *= 0.92) {
    const linear = linearRgb(l, chroma, h);
    if (linear.every((part) => part >= -0.0005 && part <= 1.0005)) return encoded(linear);
  }
  return encoded(linearRgb(l, 0, h));
}

/** `#rrggbb`. */
export function css(value: Colour): string {
  return `#${rgb(value)
    .map((part) => part.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** `share` 0 is the first colour, 1 the second; the hue takes the shorter way. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const turn = ((second.h - first.h + 540) % 360) - 180;
  return colour(
    first.l + (second.l - first.l) * share,
    first.c + (second.c - first.c) * share,
    first.h + turn * share,
  );
}

/** Relative luminance as in WCAG 2, 0–1. */
export function luminance(values: Rgb): number {
  const [r, g, b] = values.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** WCAG 2 contrast ratio of two luminances, 1–21. */
export function contrast(first: number, second: number): number {
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
}

function linearRgb(lightness: number, chroma: number, hue: number): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function encoded(linear: readonly [number, number, number]): Rgb {
  const part = (value: number): number => {
    const share = Math.min(1, Math.max(0, value));
    return Math.round(255 * (share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));
  };
  return [part(linear[0]), part(linear[1]), part(linear[2])];
}
