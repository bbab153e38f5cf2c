import { css, mix } from '../colour.ts';
import type { Palette } from '../palette.ts';
import type { Random } from '../random.ts';

export interface Canvas {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly random: Random;
}

/** Draws a whole picture without words, as SVG markup. */
export type Scene = (canvas: Canvas) => string;

/** A coordinate, short enough for markup. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/** The sky and, at (`x`, `y`), a light in it with its glow. */
export function sky(
  { width, height, palette }: Canvas,
  light?: { x: number; y: number; radius: number },
): string {
  const reach = light === undefined ? 0 : light.radius * 4.5;
  const glow =
    light === undefined
      ? ''
      : `<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="${n(light.x)}" cy="${n(light.y)}" r="${n(reach)}">
          <stop offset="0" stop-color="${css(palette.sun)}" stop-opacity=".75"/>
          <stop offset=".35" stop-color="${css(palette.sun)}" stop-opacity=".22"/>
          <stop offset="1" stop-color="${css(palette.sun)}" stop-opacity="0"/>
        </radialGradient>`;
  const sun =
    light === undefined
      ? ''
      : `<rect width="${width}" height="${height}" fill="url(#glow)"/>
        <circle cx="${n(light.x)}" cy="${n(light.y)}" r="${n(light.radius)}" fill="${css(palette.sun)}"/>`;
  return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${css(palette.skyTop)}"/>
      <stop offset=".45" stop-color="${css(mix(palette.skyTop, palette.skyLow, 0.5))}"/>
      <stop offset=".8" stop-color="${css(palette.skyLow)}"/>
    </linearGradient>${glow}</defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>${sun}`;
}

/** Small lights, sparser towards `low`, as one path. */
export function stars({ width, palette, random }: Canvas, low: number, count: number): string {
  let path = '';
  for (let i = 0; i < count; i++) {
    const size = random.between(0.6, 2.6) * (width / 1000);
    const y = random.between(0, 1) ** 1.6 * low;
    path += `M${n(random.between(0, width))} ${n(y)}m-${n(size)} 0a${n(size)} ${n(size)} 0 1 0 ${n(size * 2)} 0a${n(size)} ${n(size)} 0 1 0 -${n(size * 2)} 0z`;
  }
  return `<path d="${path}" fill="${css(palette.pale)}" fill-opacity=".7"/>`;
}

/** Whether the sky is dark enough for stars. */
export function isNight({ palette }: Canvas): boolean {
  return palette.skyTop.l < 0.3;
}

/** A broken line from the left edge to the right one, by halving and shifting: `rough` 0–1. */
export function ridge(canvas: Canvas, y: number, amplitude: number, rough: number): readonly number[] {
  const { random } = canvas;
  let heights = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
  let reach = 0.9;
  while (heights.length < 120) {
    const finer: number[] = [];
    heights.forEach((height, index) => {
      const following = heights[index + 1];
      finer.push(height);
      if (following !== undefined) finer.push((height + following) / 2 + random.between(-reach, reach));
    });
    heights = finer;
    reach *= rough;
  }
  return heights.map((height) => y + height * amplitude);
}

/** What lies beneath a line of heights, down to the picture's foot. */
export function ground({ width, height }: Canvas, heights: readonly number[]): string {
  const step = width / (heights.length - 1);
  const line = heights.map((y, index) => `L${n(index * step)} ${n(y)}`).join('');
  return `M0 ${height}${line}L${width} ${height}z`;
}
