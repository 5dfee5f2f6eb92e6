import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { fileTypeOf } from './file-type.js';
import { type ConvertedImage, convertImage, type ImageFile, UnusableImage } from './images.js';

const files = ({ original, originalLowRes, webp, webpLowRes }: ConvertedImage) =>
  [original, originalLowRes, webp, webpLowRes].map(({ contentType, width, height, bytes }) => {
    expect(`image/${fileTypeOf(bytes)}`).toBe(contentType);
    return [contentType, width, height];
  });

const plain = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 20, b: 20, alpha } } });

/** A PNG that claims a size and has a single row. */
function claiming(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, checksum]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(width + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the conversion of an image', () => {
  it('writes JPEG and WebP, at most 2,000 and 400 pixels wide', async () => {
    const image = await convertImage(await plain(2_500, 1_000).png().toBuffer());
    expect(files(image)).toEqual([
      ['image/jpeg', 2_000, 800],
      ['image/jpeg', 400, 160],
      ['image/webp', 2_000, 800],
      ['image/webp', 400, 160],
    ]);
  });

  it('writes PNG beside WebP if parts are transparent, and never enlarges', async () => {
    const image = await convertImage(await plain(90, 30, 0.5).webp().toBuffer());
    expect(files(image)).toEqual([
      ['image/png', 90, 30],
      ['image/png', 90, 30],
      ['image/webp', 90, 30],
      ['image/webp', 90, 30],
    ]);
  });

  it('keeps the first frame of a moving one', async () => {
    const frames = await Promise.all([0, 1].map((alpha) => plain(8, 8, alpha).png().toBuffer()));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect(files(await convertImage(gif))[0]).toEqual(['image/png', 8, 8]);
  });

  it('turns it upright and removes where it was taken', async () => {
    const photo = await plain(40, 20)
      .jpeg()
      .withExif({ IFD0: { Artist: 'Jane Doe' }, IFD3: { GPSLatitude: '53/1 20/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const taken = await sharp(photo).metadata();
    expect(taken.orientation).toBe(6);
    expect(taken.exif?.includes('Jane Doe')).toBe(true);
    const { original, webp } = await convertImage(photo);
    for (const { bytes, width, height } of [original, webp]) {
      expect([width, height]).toEqual([20, 40]);
      expect(await sharp(bytes).metadata()).not.toHaveProperty('exif');
      expect(bytes.includes('Jane Doe')).toBe(false);
    }
  });

  it('drops a page that was hidden behind it', async () => {
    const page = '<script>alert(1)</script>';
    const polyglot = Buffer.concat([await plain(10, 10).png().toBuffer(), Buffer.from(page)]);
    const image = await convertImage(polyglot);
    for (const { bytes } of Object.values<ImageFile>({ ...image }))
      expect(bytes.includes('<script>')).toBe(false);
  });

  it.each([
    ['with 900 million pixels', claiming(30_000, 30_000), 'An image may have at most'],
    ['with a side of 10,001 pixels', claiming(10_001, 10), 'An image may have at most'],
    ['with 81 million pixels', claiming(9_000, 9_000), 'An image may have at most'],
    ['with one row of 100', claiming(100, 100), 'The image cannot be read.'],
    ['of a signature alone', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'The image cannot be read.'],
  ])('refuses one %s', async (_, bytes, message) => {
    const failure = await convertImage(bytes).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnusableImage);
    expect((failure as Error).message).toContain(message);
  });

  it('refuses one that is cut off', async () => {
    const noise = await sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'white',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .jpeg()
      .toBuffer();
    await expect(convertImage(noise.subarray(0, noise.length / 2))).rejects.toBeInstanceOf(UnusableImage);
  });
});

describe('the type of a file', () => {
  it.each([
    ['a script', '#!/bin/sh'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7'],
    ['WOFF2', 'wOF2\0\x01\0\0'],
    ['a RIFF sound', 'RIFF\0\0\0\0WAVE'],
    ['nothing', ''],
  ])('remains unknown for %s', (_, text) => {
    expect(fileTypeOf(Buffer.from(text, 'latin1'))).toBeNull();
  });
});
