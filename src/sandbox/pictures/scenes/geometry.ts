import { css, mix } from '../colour.ts';
import { layer } from '../palette.ts';
import { isNight, n, type Scene, sky, stars } from './canvas.ts';

/** Rings around a point off the centre. */
export const rings: Scene = ({ width, height, palette, random }) => {
  const x = width * random.between(0.25, 0.75);
  const y = height * random.between(0.3, 0.48);
  const count = random.whole(7, 11);
  const reach = Math.hypot(Math.max(x, width - x), Math.max(y, height - y));
  let markup = `<rect width="${width}" height="${height}" fill="${css(palette.near)}"/>`;
  for (let i = count; i > 0; i--) {
    const share = i / count;
    const tone =
      i === 1 ? palette.sun : i % 3 === 1 ? palette.accent : mix(palette.skyLow, palette.near, share);
    const radius = reach * share ** 1.25;
    markup += `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${css(tone)}" fill-opacity="${i % 3 === 1 && i > 1 ? 0.55 : 1}"/>`;
  }
  return markup;
};

/** A disc cut into stripes over a floor of lines that run to the horizon. */
export const sunset: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const radius = Math.min(width, height) * random.between(0.3, 0.36);
  const x = width * random.pick([0.5, 0.5, 0.34, 0.66]);
  const horizon = height * random.between(0.56, 0.64);
  const y = horizon - radius * 0.55;
  let slits = '';
  for (let i = 0; i < 7; i++) {
    const cut = y - radius * 0.1 + (radius * 1.1 * i) / 7;
    slits += `<rect x="${n(x - radius)}" y="${n(cut)}" width="${n(radius * 2)}" height="${n(radius * (0.02 + 0.011 * i))}" fill="#000"/>`;
  }
  let floor = '';
  for (let i = -16; i <= 16; i++)
    floor += `M${n(x + i * width * 0.06)} ${n(horizon)}L${n(x + i * width * 0.42)} ${height}`;
  for (let i = 1; i < 12; i++) floor += `M0 ${n(horizon + (height - horizon) * (i / 12) ** 2)}H${width}`;
  return `${sky(canvas)}${isNight(canvas) ? stars(canvas, horizon * 0.8, 100) : ''}
    <defs>
      <linearGradient id="disc" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(palette.sun)}"/><stop offset="1" stop-color="${css(palette.accent)}"/></linearGradient>
      <linearGradient id="floor" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(layer(palette, 0.55))}"/><stop offset="1" stop-color="${css(palette.near)}"/></linearGradient>
      <mask id="slits"><rect width="${width}" height="${height}" fill="#fff"/>${slits}</mask>
    </defs>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="url(#disc)" mask="url(#slits)"/>
    <rect y="${n(horizon)}" width="${width}" height="${n(height - horizon)}" fill="url(#floor)"/>
    <path d="${floor}" stroke="${css(palette.accent)}" stroke-opacity=".38" stroke-width="${n(width / 500)}" fill="none"/>`;
};

/** Bands that come down, turn in a quarter circle, and leave at the side. */
export const bands: Scene = ({ width, height, palette, random }) => {
  const thick = Math.min(width, height) * random.between(0.055, 0.075);
  const mirrored = random.chance(0.5);
  const inner = Math.min(width, height) * 0.1;
  const left = width * random.between(0.12, 0.26);
  const foot = height * random.between(0.52, 0.62);
  const tones = [palette.sun, palette.accent, palette.second, layer(palette, 0.3), layer(palette, 0.7)];
  let strokes = '';
  tones.forEach((tone, index) => {
    const radius = inner + thick * (tones.length - 1 - index) + thick / 2;
    const x = left + thick * index + thick / 2;
    const turn = left + thick * tones.length + inner;
    strokes += `<path d="M${n(x)} -10V${n(foot - inner - thick * tones.length)}A${n(radius)} ${n(radius)} 0 0 0 ${n(turn)} ${n(foot - inner - thick * tones.length + radius)}H${width + 10}" stroke="${css(tone)}" stroke-width="${n(thick + 0.6)}" fill="none"/>`;
  });
  return `<defs><linearGradient id="ground" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${css(palette.skyTop)}"/><stop offset="1" stop-color="${css(mix(palette.skyTop, palette.near, 0.75))}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#ground)"/>
    <g${mirrored ? ` transform="translate(${width} 0) scale(-1 1)"` : ''}>${strokes}</g>`;
};

/** A quilt of quarter circles, half circles and triangles. */
export const tiles: Scene = ({ width, height, palette, random }) => {
  const across = width > height ? random.whole(6, 8) : random.whole(3, 4);
  const side = width / across;
  const tones = [
    palette.sun,
    palette.accent,
    palette.second,
    layer(palette, 0.1),
    layer(palette, 0.55),
    palette.skyLow,
  ] as const;
  let markup = `<rect width="${width}" height="${height}" fill="${css(palette.near)}"/>`;
  for (let row = 0; row * side < height; row++) {
    for (let column = 0; column < across; column++) {
      const fore = random.pick([...tones]);
      const back = random.pick([palette.near, layer(palette, 0.8), layer(palette, 0.6), palette.near]);
      const s = n(side);
      const h = n(side / 2);
      const shape = random.pick([
        `<path d="M0 0H${s}A${s} ${s} 0 0 1 0 ${s}z"/>`,
        `<path d="M0 ${h}A${h} ${h} 0 0 1 ${s} ${h}z"/><path d="M0 ${s}A${h} ${h} 0 0 1 ${s} ${s}z"/>`,
        `<path d="M0 0H${s}L0 ${s}z"/>`,
        `<circle cx="${h}" cy="${h}" r="${n(side * 0.34)}"/>`,
        `<circle cx="${h}" cy="${h}" r="${n(side * 0.32)}" fill="none" stroke="${css(fore)}" stroke-width="${n(side * 0.14)}"/>`,
        `<path d="M${h} 0A${h} ${h} 0 0 1 ${h} ${s}A${h} ${h} 0 0 0 ${h} 0z M0 0H${h}V${s}H0z"/>`,
      ]);
      const turn = random.pick([0, 90, 180, 270]);
      markup += `<g transform="translate(${n(column * side)} ${n(row * side)}) rotate(${turn} ${h} ${h})" fill="${css(fore)}"><path d="M0 0H${n(side + 0.7)}V${n(side + 0.7)}H0z" fill="${css(back)}"/>${shape}</g>`;
    }
  }
  return markup;
};

/** Beams from behind a disc. */
export const beams: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const x = width * random.pick([0.5, 0.3, 0.7]);
  const y = height * random.between(0.36, 0.5);
  const radius = Math.min(width, height) * random.between(0.13, 0.2);
  const count = random.whole(14, 24);
  const reach = width + height;
  const offset = random.between(0, Math.PI);
  let path = '';
  for (let i = 0; i < count; i++) {
    const from = offset + (i / count) * Math.PI * 2;
    const to = from + Math.PI / count;
    path += `M${n(x)} ${n(y)}L${n(x + Math.cos(from) * reach)} ${n(y + Math.sin(from) * reach)}L${n(x + Math.cos(to) * reach)} ${n(y + Math.sin(to) * reach)}z`;
  }
  return `<rect width="${width}" height="${height}" fill="${css(mix(palette.skyTop, palette.near, 0.25))}"/>
    <defs><radialGradient id="fade" gradientUnits="userSpaceOnUse" cx="${n(x)}" cy="${n(y)}" r="${n(Math.max(width, height) * 0.75)}">
      <stop offset="0" stop-color="${css(palette.skyLow)}"/><stop offset="1" stop-color="${css(palette.far)}" stop-opacity=".25"/>
    </radialGradient></defs>
    <path d="${path}" fill="url(#fade)"/>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 1.3)}" fill="${css(palette.near)}"/>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="${css(palette.sun)}"/>`;
};

/** Planets, their moons and a ring. */
export const planets: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const u = Math.min(width, height);
  const x = width * random.between(0.3, 0.7);
  const y = height * random.between(0.32, 0.46);
  const radius = u * random.between(0.22, 0.3);
  const tilt = random.between(-28, 28);
  const ring = `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(radius * 1.75)}" ry="${n(radius * 0.42)}" fill="none" stroke="${css(palette.accent)}" stroke-width="${n(radius * 0.09)}" transform="rotate(${n(tilt)} ${n(x)} ${n(y)})"`;
  let moons = '';
  for (let i = 0; i < random.whole(2, 4); i++) {
    moons += `<circle cx="${n(width * random.between(0.08, 0.92))}" cy="${n(height * random.between(0.06, 0.62))}" r="${n(u * random.between(0.012, 0.045))}" fill="${css(mix(palette.far, palette.pale, random.between(0.1, 0.6)))}"/>`;
  }
  return `<defs>
      <radialGradient id="space" cx=".5" cy=".35" r=".9"><stop offset="0" stop-color="${css(mix(palette.deep, palette.far, 0.5))}"/><stop offset="1" stop-color="${css(palette.deep)}"/></radialGradient>
      <radialGradient id="ball" cx=".32" cy=".28" r=".85"><stop offset="0" stop-color="${css(palette.sun)}"/><stop offset=".5" stop-color="${css(palette.second)}"/><stop offset="1" stop-color="${css(palette.deep)}"/></radialGradient>
      <clipPath id="front"><path d="M0 ${n(y)}H${width}V${height}H0z" transform="rotate(${n(tilt)} ${n(x)} ${n(y)})"/></clipPath>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#space)"/>${stars(canvas, height, 190)}${moons}
    ${ring} stroke-opacity=".6"/>
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="url(#ball)"/>
    <g clip-path="url(#front)">${ring}/></g>`;
};

/** Height lines, as on a map. */
export const contours: Scene = ({ width, height, palette, random }) => {
  const lines = 22;
  const reach = Math.hypot(width, height) * 0.72;
  const x = width * random.between(0.3, 0.7);
  const y = height * random.between(0.28, 0.45);
  const waves = [2, 3, 5, 7].map((times) => ({
    times,
    phase: random.between(0, 6.3),
    size: random.between(0.03, 0.15) / Math.sqrt(times),
  }));
  let markup = `<rect width="${width}" height="${height}" fill="${css(palette.near)}"/>`;
  for (let i = lines; i > 0; i--) {
    const share = i / lines;
    let path = '';
    for (let step = 0; step < 72; step++) {
      const angle = (step / 72) * Math.PI * 2;
      const swell = waves.reduce(
        (sum, wave) => sum + wave.size * Math.sin(angle * wave.times + wave.phase + share * 2.4),
        1,
      );
      path += `${step === 0 ? 'M' : 'L'}${n(x + Math.cos(angle) * reach * share * swell)} ${n(y + Math.sin(angle) * reach * share * swell)}`;
    }
    const tone = i <= 2 ? palette.sun : mix(palette.skyLow, palette.near, Math.min(1, share * 1.25));
    markup += `<path d="${path}z" fill="${css(tone)}" stroke="${css(i % 4 === 0 ? palette.accent : palette.near)}" stroke-opacity="${i % 4 === 0 ? 0.9 : 0.35}" stroke-width="${n((Math.min(width, height) / 1000) * (i % 4 === 0 ? 3 : 1.6))}" stroke-linejoin="round"/>`;
  }
  return markup;
};

/** A mesh of triangles, lit from above. */
export const facets: Scene = ({ width, height, palette, random }) => {
  const across = width > height ? 12 : 7;
  const side = width / across;
  const rows = Math.ceil(height / side) + 1;
  const points: { x: number; y: number }[][] = [];
  for (let row = 0; row <= rows; row++) {
    const line: { x: number; y: number }[] = [];
    for (let column = 0; column <= across + 1; column++) {
      const inside = column > 0 && column <= across && row > 0;
      line.push({
        x: (column - 0.5) * side + (inside ? random.between(-0.36, 0.36) * side : 0),
        y: (row - 0.5) * side + (inside ? random.between(-0.36, 0.36) * side : 0),
      });
    }
    points.push(line);
  }
  let markup = `<rect width="${width}" height="${height}" fill="${css(palette.near)}"/>`;
  const facet = (corners: readonly ({ x: number; y: number } | undefined)[]): void => {
    const found = corners.filter((corner) => corner !== undefined);
    const depth = found.reduce((sum, corner) => sum + corner.y, 0) / (3 * height);
    const base =
      depth < 0.5
        ? mix(palette.skyTop, palette.skyLow, depth * 2)
        : mix(palette.skyLow, palette.near, (depth - 0.5) * 2);
    const tone = random.chance(0.07)
      ? palette.accent
      : mix(base, random.chance(0.5) ? palette.sun : palette.deep, random.between(0, 0.26));
    const path = found
      .map((corner, index) => `${index === 0 ? 'M' : 'L'}${n(corner.x)} ${n(corner.y)}`)
      .join('');
    markup += `<path d="${path}z" fill="${css(tone)}" stroke="${css(tone)}" stroke-width="1"/>`;
  };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column <= across; column++) {
      const corner = [
        points[row]?.[column],
        points[row]?.[column + 1],
        points[row + 1]?.[column],
        points[row + 1]?.[column + 1],
      ];
      facet([corner[0], corner[1], corner[2]]);
      facet([corner[1], corner[2], corner[3]]);
    }
  }
  return markup;
};
