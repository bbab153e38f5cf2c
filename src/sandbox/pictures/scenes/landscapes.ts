import { css, mix } from '../colour.ts';
import { layer } from '../palette.ts';
import { type Canvas, ground, isNight, n, ridge, type Scene, sky, stars } from './canvas.ts';

function sunIn(canvas: Canvas, low: number, high: number) {
  const { width, height, random } = canvas;
  return {
    x: width * random.between(0.22, 0.78),
    y: height * random.between(low, high),
    radius: Math.min(width, height) * random.between(0.07, 0.15),
  };
}

/** Mountain ridges, one behind the other, paler with distance. */
export const ridges: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const count = random.whole(5, 7);
  const top = random.between(0.4, 0.5);
  const rough = random.between(0.46, 0.56);
  let markup = sky(canvas, sunIn(canvas, 0.2, 0.42));
  if (isNight(canvas)) markup += stars(canvas, height * 0.5, 110);
  for (let i = 0; i < count; i++) {
    const near = i / (count - 1);
    const y = height * (top + (0.92 - top) * near ** 1.15);
    const amplitude = Math.min(width, height) * (0.13 - 0.05 * near);
    const tone = layer(palette, near);
    markup += `<defs><linearGradient id="r${i}" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="${css(tone)}"/>
        <stop offset="1" stop-color="${css(mix(tone, palette.skyLow, 0.45 * (1 - near)))}"/>
      </linearGradient></defs>
      <path d="${ground(canvas, ridge(canvas, y, amplitude, rough))}" fill="url(#r${i})"/>`;
  }
  return markup;
};

/** A sea under a low sun, with its light on the water. */
export const sea: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const horizon = height * random.between(0.5, 0.6);
  const light = sunIn(canvas, 0.3, 0.5);
  let markup = sky(canvas, { ...light, radius: light.radius * 1.3 });
  if (isNight(canvas)) markup += stars(canvas, horizon, 70);
  markup += `<defs><linearGradient id="water" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="${css(mix(palette.skyLow, palette.far, 0.55))}"/>
      <stop offset="1" stop-color="${css(palette.near)}"/>
    </linearGradient></defs>
    <rect y="${n(horizon)}" width="${width}" height="${n(height - horizon)}" fill="url(#water)"/>`;
  let glints = '';
  for (let i = 0; i < 46; i++) {
    const depth = random.between(0, 1) ** 1.4;
    const y = horizon + 4 + (height - horizon) * depth * 0.75;
    const half = light.radius * (0.25 + depth * 1.1) * random.between(0.3, 1.1);
    const x = light.x + random.between(-1, 1) * light.radius * (0.5 + depth * 1.2);
    const thick = (1.5 + depth * 6) * (height / 1500);
    glints += `M${n(x - half)} ${n(y)}q${n(half)} ${n(-thick)} ${n(half * 2)} 0q${n(-half)} ${n(thick)} ${n(-half * 2)} 0z`;
  }
  markup += `<path d="${glints}" fill="${css(palette.sun)}" fill-opacity=".8"/>`;
  for (let i = 0; i < 2; i++) {
    const side = random.chance(0.5) ? 0 : width;
    const reach = width * random.between(0.25, 0.5);
    const rise = height * random.between(0.04, 0.1);
    markup += `<path d="M${side} ${n(horizon + 2)}Q${n(Math.abs(side - reach * 0.3))} ${n(horizon - rise * 1.6)} ${n(Math.abs(side - reach))} ${n(horizon + 2)}z" fill="${css(layer(palette, 0.25 + i * 0.3))}"/>`;
  }
  return markup;
};

/** Dunes: long smooth waves with a lit and a shaded side. */
export const dunes: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  let markup = sky(canvas, sunIn(canvas, 0.14, 0.34));
  if (isNight(canvas)) markup += stars(canvas, height * 0.45, 90);
  const count = random.whole(4, 6);
  for (let i = 0; i < count; i++) {
    const near = i / (count - 1);
    const y = height * (0.46 + 0.4 * near);
    const swing = height * random.between(0.05, 0.1) * (random.chance(0.5) ? 1 : -1);
    const waist = width * random.between(0.3, 0.7);
    const crest = `M0 ${n(y + swing)}C${n(waist * 0.5)} ${n(y + swing * 0.4)} ${n(waist * 0.7)} ${n(y - swing)} ${n(waist)} ${n(y - swing)}S${n(width * 0.85)} ${n(y + swing * 0.6)} ${width} ${n(y + swing * 0.2)}`;
    const tone = layer(palette, near * 0.92);
    markup += `<path d="${crest}V${height}H0z" fill="${css(tone)}"/>
      <path d="M${n(waist)} ${n(y - swing)}S${n(width * 0.85)} ${n(y + swing * 0.6)} ${width} ${n(y + swing * 0.2)}V${height}H${n(waist * 0.55)}Q${n(waist * 1.25)} ${n(y + height * 0.16)} ${n(waist)} ${n(y - swing)}z" fill="${css(mix(tone, palette.deep, 0.28))}"/>`;
  }
  return markup;
};

/** Conifers in the fog. */
export const forest: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  let markup = sky(canvas, sunIn(canvas, 0.16, 0.36));
  if (isNight(canvas)) markup += stars(canvas, height * 0.4, 80);
  const rows = 5;
  for (let row = 0; row < rows; row++) {
    const near = row / (rows - 1);
    const base = height * (0.55 + 0.4 * near);
    const tall = height * (0.09 + 0.17 * near) * (width > height ? 1.25 : 1);
    const gap = tall * 0.3;
    let path = `M0 ${height}V${n(base)}`;
    for (let x = -gap; x < width + gap; x += gap * random.between(0.6, 1.5)) {
      const size = tall * random.between(0.45, 1);
      path += conifer(x, base + height * 0.02 * random.between(0, 1), size);
    }
    path += `L${width} ${n(base)}V${height}z`;
    const tone = layer(palette, near);
    markup += `<path d="${path}" fill="${css(tone)}"/>`;
    if (row < rows - 1) {
      markup += `<defs><linearGradient id="fog${row}" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="${css(palette.skyLow)}" stop-opacity="0"/>
          <stop offset="1" stop-color="${css(palette.skyLow)}" stop-opacity=".4"/>
        </linearGradient></defs>
        <rect y="${n(base - tall * 0.5)}" width="${width}" height="${n(height - base + tall * 0.5)}" fill="url(#fog${row})"/>`;
    }
  }
  return markup;
};

function conifer(x: number, foot: number, size: number): string {
  const half = size * 0.17;
  let left = `L${n(x - half * 0.2)} ${n(foot)}`;
  let right = '';
  for (let tier = 0; tier < 4; tier++) {
    const y = foot - size * (0.12 + tier * 0.2);
    const wide = half * (1 - tier * 0.22);
    left += `L${n(x - wide)} ${n(y)}L${n(x - wide * 0.45)} ${n(y - size * 0.17)}`;
    right = `L${n(x + wide * 0.45)} ${n(y - size * 0.17)}L${n(x + wide)} ${n(y)}${right}`;
  }
  return `${left}L${n(x)} ${n(foot - size)}${right}L${n(x + half * 0.2)} ${n(foot)}`;
}

/** A city against the light, windows lit in the nearest blocks. */
export const skyline: Scene = (canvas) => {
  const { width, height, palette, random } = canvas;
  const light = sunIn(canvas, 0.22, 0.42);
  let markup = sky(canvas, { ...light, radius: light.radius * 1.35 });
  if (isNight(canvas)) markup += stars(canvas, height * 0.5, 90);
  const rows = 4;
  let windows = '';
  for (let row = 0; row < rows; row++) {
    const near = row / (rows - 1);
    const block = Math.min(width, height) * (0.07 + 0.05 * near);
    let path = '';
    for (let x = -block * random.between(0, 0.8); x < width; ) {
      const wide = block * random.between(0.6, 1.5);
      const roof = height * (0.58 + 0.2 * near) - height * random.between(0, 0.2) * random.between(0.4, 1);
      path += `M${n(x)} ${height}V${n(roof)}h${n(wide)}V${height}z`;
      if (random.chance(0.18))
        path += `M${n(x + wide * 0.46)} ${n(roof)}v${n(-block * 0.8)}h${n(wide * 0.06)}v${n(block * 0.8)}z`;
      if (random.chance(0.3))
        path += `M${n(x + wide * 0.2)} ${n(roof)}v${n(-block * 0.3)}h${n(wide * 0.6)}v${n(block * 0.3)}z`;
      if (row >= rows - 2) windows += lit(canvas, x, roof, wide, block);
      x += wide + block * random.between(-0.05, 0.12);
    }
    markup += `<path d="${path}" fill="${css(layer(palette, 0.2 + near * 0.8))}"/>`;
    if (row === rows - 2) {
      markup += `<path d="${windows}" fill="${css(palette.accent)}" fill-opacity=".35"/>`;
      windows = '';
    }
  }
  return `${markup}<path d="${windows}" fill="${css(palette.accent)}" fill-opacity=".85"/>`;
};

function lit({ height, random }: Canvas, x: number, roof: number, wide: number, block: number): string {
  const pane = block * 0.085;
  let path = '';
  for (let y = roof + pane * 2; y < Math.min(roof + height * 0.22, height - pane); y += pane * 2.4) {
    for (let across = x + pane; across < x + wide - pane * 1.6; across += pane * 2.1) {
      if (random.chance(0.22)) path += `M${n(across)} ${n(y)}h${n(pane)}v${n(pane * 1.3)}h${n(-pane)}z`;
    }
  }
  return path;
}
