import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const COLORS = 256;
const PALETTE = 3;
/** Squared distance up to which two colors look the same. */
const ALIKE = 40;

interface Chunk {
  type: string;
  data: Buffer;
}

function* chunksOf(png: Buffer): Generator<Chunk> {
  for (let at = SIGNATURE_BYTES; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Predicts a byte from those to its left, above, and above left, as the PNG specification defines for each filter. */
function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

/** Returns the bytes of the rows without their filters. */
function unfiltered(rows: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const height = rows.length / (rowBytes + 1);
  const plain = Buffer.alloc(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const filter = rows[row * (rowBytes + 1)]!;
    for (let column = 0; column < rowBytes; column += 1) {
      const at = row * rowBytes + column;
      const left = column < pixelBytes ? 0 : plain[at - pixelBytes]!;
      const up = row === 0 ? 0 : plain[at - rowBytes]!;
      const corner = row === 0 || column < pixelBytes ? 0 : plain[at - rowBytes - pixelBytes]!;
      plain[at] = rows[row * (rowBytes + 1) + 1 + column]! + predict(filter, left, up, corner);
    }
  }
  return plain;
}

const part = (color: number, shift: number): number => (color >> shift) & 255;
const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => sum + (part(one, shift) - part(other, shift)) ** 2, 0);

/** Encodes an opaque 8-bit screenshot again with its 256 most frequent different colors; others become the nearest one. */
export function smallPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const header = Buffer.from(chunks.find(({ type }) => type === 'IHDR')!.data);
  const [width, height, pixelBytes] = [
    header.readUInt32BE(0),
    header.readUInt32BE(4),
    header[9] === 6 ? 4 : 3,
  ];
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const plain = unfiltered(inflateSync(packed), width * pixelBytes, pixelBytes);
  const colors = Array.from({ length: width * height }, (_, index) =>
    plain.readUIntBE(index * pixelBytes, 3),
  );
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([color]) => color);
  const palette: number[] = [];
  for (const color of byCount) {
    const isNew = palette.every((each) => distance(each, color) > ALIKE);
    if (isNew && palette.length < COLORS) palette.push(color);
  }
  const indexes = new Map<number, number>();
  for (const color of byCount) {
    const nearest = palette.reduce((best, each) =>
      distance(each, color) < distance(best, color) ? each : best,
    );
    indexes.set(color, palette.indexOf(nearest));
  }
  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, color] of colors.entries())
    rows[index + Math.floor(index / width) + 1] = indexes.get(color)!;
  header[9] = PALETTE;
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((color) => [16, 8, 0].map((shift) => part(color, shift))))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
