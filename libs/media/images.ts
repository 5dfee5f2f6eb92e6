import type { Sharp } from 'sharp';

/** The file is no image that can be read, or a larger one than is allowed. The message tells people why. */
export class UnusableImage extends Error {}

/** This platform has no converter. */
export class NoConverter extends Error {}

export interface ImageFile {
  contentType: 'image/webp' | 'image/png' | 'image/jpeg';
  bytes: Buffer;
  /** Pixels. */
  width: number;
  height: number;
}

export interface ConvertedImage {
  /** PNG if parts are transparent, otherwise JPEG. */
  original: ImageFile;
  originalLowRes: ImageFile;
  webp: ImageFile;
  webpLowRes: ImageFile;
}

const MAX_PIXELS = 40_000_000;
const MAX_SIDE = 10_000;
const MAX_WIDTH = 2_000;
const LOW_RES_WIDTH = 400;
const QUALITY = 82;
const LOW_RES_QUALITY = 60;
const TIME_LIMIT_S = 10;

async function converter() {
  try {
    return (await import('sharp')).default;
  } catch (error) {
    throw new NoConverter('Images cannot be converted on this platform.', { cause: error });
  }
}

/** `quality` is of no use for PNG, which loses nothing. */
async function write(image: Sharp, format: 'png' | 'jpeg' | 'webp', quality: number): Promise<ImageFile> {
  const options = format === 'png' ? {} : { quality };
  const { data, info } = await image.clone().toFormat(format, options).toBuffer({ resolveWithObject: true });
  return { contentType: `image/${format}`, bytes: data, width: info.width, height: info.height };
}

async function convert(image: Sharp): Promise<ConvertedImage> {
  // The header alone, before anything is decoded.
  const { width, height } = await image.metadata();
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) {
    throw new UnusableImage(
      `An image may have at most ${MAX_PIXELS / 1e6} million pixels, and ${MAX_SIDE} on each side.`,
    );
  }
  const upright = image.autoOrient().timeout({ seconds: TIME_LIMIT_S });
  const large = upright.clone().resize({ width: MAX_WIDTH, withoutEnlargement: true });
  const small = upright.clone().resize({ width: LOW_RES_WIDTH, withoutEnlargement: true });
  const format = (await upright.stats()).isOpaque ? 'jpeg' : 'png';
  return {
    original: await write(large, format, QUALITY),
    originalLowRes: await write(small, format, LOW_RES_QUALITY),
    webp: await write(large, 'webp', QUALITY),
    webpLowRes: await write(small, 'webp', LOW_RES_QUALITY),
  };
}

/**
 * Decodes the first frame of a PNG, JPEG, WebP or GIF image and writes it anew in the forms that phones read, upright,
 * in sRGB and without metadata. Works outside the event loop.
 *
 * @throws UnusableImage, NoConverter
 */
export async function convertImage(bytes: Buffer): Promise<ConvertedImage> {
  const sharp = await converter();
  try {
    // `convert` checks the size itself, with a message for people.
    return await convert(sharp(bytes, { limitInputPixels: false, failOn: 'error' }));
  } catch (error) {
    if (error instanceof UnusableImage) throw error;
    throw new UnusableImage('The image cannot be read.', { cause: error });
  }
}
