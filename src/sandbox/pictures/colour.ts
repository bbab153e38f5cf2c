/** A colour in OKLCH, where equal steps look equal: lightness 0–1, chroma 0–0.37, hue in degrees. */
export interface Colour {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

/** `share` 0 is the first colour, 1 the second; the hue takes the shorter way. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const turn = ((((second.h - first.h) % 360) + 540) % 360) - 180;
  return {
    l: first.l + (second.l - first.l) * share,
    c: first.c + (second.c - first.c) * share,
    h: first.h + turn * share,
  };
}

/** `#rrggbb`. Where sRGB can't show the colour its chroma shrinks, so that lightness and hue stay. */
export function css({ l, c, h }: Colour): string {
  let linear = linearRgb(l, c, h);
  for (let chroma = c; chroma > 0.005 && linear.some((part) => part < 0 || part > 1); ) {
    chroma *= 0.92;
    linear = linearRgb(l, chroma, h);
  }
  return `#${linear.map(hex).join('')}`;
}

function linearRgb(lightness: number, chroma: number, hue: number): readonly number[] {
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

function hex(linear: number): string {
  const share = Math.min(1, Math.max(0, linear));
  const encoded = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
  return Math.round(255 * encoded)
    .toString(16)
    .padStart(2, '0');
}
