import { colour, css, mix } from '../colour.ts';
import { layer } from '../palette.ts';
import { type Canvas, n, type Scene } from './canvas.ts';

/** Twigs with leaves that grow in from the corners around a disc. */
export const leaves: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const u = Math.min(width, height);
  const x = width * random.between(0.4, 0.6);
  const y = height * random.between(0.36, 0.46);
  let markup = `<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(palette.skyTop)}"/><stop offset="1" stop-color="${css(mix(palette.skyLow, palette.near, 0.35))}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#ground)"/>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(u * 0.27)}" fill="${css(palette.sun)}"/>`;
  const corners = [
    [0, height * 0.95, -52],
    [width, height * 0.95, -128],
    [0, height * 0.12, 24],
    [width, height * 0.1, 156],
    [width * 0.28, height, -80],
    [width * 0.72, height, -100],
  ] as const;
  corners.forEach(([cornerX, cornerY, angle], index) => {
    const tone = index % 3 === 2 ? palette.second : layer(palette, 0.3 + 0.7 * random.between(0, 1));
    markup += twig(
      canvas,
      cornerX,
      cornerY,
      angle + random.between(-16, 16),
      u * random.between(0.5, 0.8),
      css(tone),
    );
  });
  return markup;
};

function twig({ random }: Canvas, x: number, y: number, angle: number, length: number, tone: string): string {
  const bend = random.between(-0.12, 0.12) * length;
  const pairs = random.whole(6, 9);
  let markup = `<path d="M0 0Q${n(length / 2)} ${n(bend * 2)} ${n(length)} 0" stroke="${tone}" stroke-width="${n(length * 0.012)}" fill="none"/>`;
  for (let i = 1; i <= pairs; i++) {
    const share = i / (pairs + 0.4);
    const size = length * 0.26 * (1 - share * 0.55);
    const stemY = 4 * bend * share * (1 - share);
    for (const side of [-1, 1]) {
      const leaf = `M0 0C${n(size * 0.3)} ${n(-size * 0.34)} ${n(size * 0.75)} ${n(-size * 0.26)} ${n(size)} 0C${n(size * 0.75)} ${n(size * 0.2)} ${n(size * 0.3)} ${n(size * 0.22)} 0 0z`;
      markup += `<path d="${leaf}" fill="${tone}" transform="translate(${n(length * share)} ${n(stemY)}) rotate(${n(side * random.between(34, 50))})"/>`;
    }
  }
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(angle)})">${markup}</g>`;
}

/** Head and shoulders in front of a disc. */
export const portrait: Scene = ({ width, height, palette, random }) => {
  const x = width / 2;
  const head = width * random.between(0.135, 0.155);
  const y = height * 0.37;
  const shoulders = width * random.between(0.33, 0.4);
  const hair = random.pick(['short', 'long', 'bun', 'round', 'none']);
  const skin = colour(random.between(0.45, 0.86), 0.07, random.between(45, 70));
  const shade = mix(skin, palette.deep, 0.28);
  const dark = random.pick([palette.near, layer(palette, 0.75), palette.deep]);
  const coat = random.pick([palette.second, palette.accent, layer(palette, 0.6)]);
  const r = head;
  const behind = {
    short: '',
    long: `<path d="M${n(x - r * 1.28)} ${n(y)}A${n(r * 1.28)} ${n(r * 1.3)} 0 0 1 ${n(x + r * 1.28)} ${n(y)}L${n(x + r * 1.5)} ${n(y + r * 2.5)}H${n(x - r * 1.5)}z"/>`,
    bun: `<circle cx="${n(x)}" cy="${n(y - r * 1.55)}" r="${n(r * 0.52)}"/>`,
    round: `<circle cx="${n(x)}" cy="${n(y - r * 0.35)}" r="${n(r * 1.55)}"/>`,
    none: '',
  }[hair];
  const before =
    hair === 'none'
      ? ''
      : `<path d="M${n(x - r * 1.05)} ${n(y + r * 0.05)}A${n(r * 1.05)} ${n(r * 1.4)} 0 0 1 ${n(x + r * 1.05)} ${n(y + r * 0.05)}Q${n(x + r * 0.75)} ${n(y - r * 0.7)} ${n(x + r * random.between(-0.2, 0.3))} ${n(y - r * 0.72)}Q${n(x - r * 0.8)} ${n(y - r * 0.6)} ${n(x - r * 1.05)} ${n(y + r * 0.05)}z"/>`;
  const collar = y + r * 1.75;
  return `<defs><linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(palette.skyTop)}"/><stop offset="1" stop-color="${css(palette.skyLow)}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#wall)"/>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(width * 0.36)}" fill="${css(palette.sun)}"/>
    <g fill="${css(dark)}">${behind}</g>
    <path d="M${n(x - r * 0.45)} ${n(y)}H${n(x + r * 0.45)}V${n(collar + r * 0.6)}H${n(x - r * 0.45)}z" fill="${css(shade)}"/>
    <path d="M${n(x - shoulders)} ${height}V${n(collar + r * 1.6)}Q${n(x - shoulders)} ${n(collar + r * 0.55)} ${n(x - r * 0.55)} ${n(collar)}Q${n(x)} ${n(collar + r * 0.75)} ${n(x + r * 0.55)} ${n(collar)}Q${n(x + shoulders)} ${n(collar + r * 0.55)} ${n(x + shoulders)} ${n(collar + r * 1.6)}V${height}z" fill="${css(coat)}"/>
    <path d="M${n(x)} ${n(collar + r * 0.42)}V${height}H${n(x + shoulders)}V${n(collar + r * 1.6)}Q${n(x + shoulders)} ${n(collar + r * 0.55)} ${n(x + r * 0.55)} ${n(collar)}Q${n(x + r * 0.3)} ${n(collar + r * 0.36)} ${n(x)} ${n(collar + r * 0.42)}z" fill="${css(palette.deep)}" fill-opacity=".16"/>
    <ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(r)}" ry="${n(r * 1.26)}" fill="${css(skin)}"/>
    <path d="M${n(x)} ${n(y - r * 1.26)}A${n(r)} ${n(r * 1.26)} 0 0 1 ${n(x)} ${n(y + r * 1.26)}z" fill="${css(shade)}" fill-opacity=".55"/>
    <g fill="${css(dark)}">${before}</g>`;
};
