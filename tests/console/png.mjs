// Makes a screenshot small: a palette of a few colours instead of millions.

import { deflateSync, inflateSync, crc32 } from 'node:zlib';

const COLOURS = 40;

function chunksOf(file) {
  const chunks = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    chunks.push({ name: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
  }
  return chunks;
}

const paeth = (a, b, c) => {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
};

// Reads an 8-bit PNG without interlacing, as browsers write it: { width, height, pixels } with pixels as 0xRRGGBB.
function decoded(file) {
  const chunks = chunksOf(file);
  const head = chunks[0].data;
  const [width, height, size] = [head.readUInt32BE(0), head.readUInt32BE(4), head[9] === 6 ? 4 : 3];
  const raw = inflateSync(Buffer.concat(chunks.filter((chunk) => chunk.name === 'IDAT').map((chunk) => chunk.data)));
  const row = width * size;
  const bytes = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x += 1) {
      const at = y * row + x;
      const left = x >= size ? bytes[at - size] : 0;
      const up = y > 0 ? bytes[at - row] : 0;
      const corner = x >= size && y > 0 ? bytes[at - row - size] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      bytes[at] = raw[y * (row + 1) + 1 + x] + guess;
    }
  }
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = (bytes[at * size] << 16) | (bytes[at * size + 1] << 8) | bytes[at * size + 2];
  return { width, height, pixels };
}

const partsOf = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];

// The colours that are used most, none very near another.
function paletteOf(pixels) {
  const counts = new Map();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [];
  for (const [colour] of [...counts].sort((a, b) => b[1] - a[1])) {
    const near = palette.some((other) => partsOf(other).every((part, index) => Math.abs(part - partsOf(colour)[index]) < 7));
    if (!near) palette.push(colour);
    if (palette.length === COLOURS) break;
  }
  return palette;
}

function nearest(palette, colour) {
  const parts = partsOf(colour);
  const far = palette.map((other) => partsOf(other).reduce((sum, part, index) => sum + (part - parts[index]) ** 2, 0));
  return far.indexOf(Math.min(...far));
}

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

export function small(file) {
  const { width, height, pixels } = decoded(file);
  const palette = paletteOf(pixels);
  const known = new Map();
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < pixels.length; at += 1) {
    if (!known.has(pixels[at])) known.set(pixels[at], nearest(palette, pixels[at]));
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = known.get(pixels[at]);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([file.subarray(0, 8), chunk('IHDR', head), chunk('PLTE', Buffer.from(palette.flatMap(partsOf))), chunk('IDAT', deflateSync(lines, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
