import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  convertImage,
  type FileType,
  fileTypeOf,
  type ImageFile,
  NoConverter,
  postScriptNameOf,
  UnusableImage,
} from '../../../libs/media/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { StoredBlob } from '../blobs/content-blobs.repository.js';
import type { AssetFormats, MediaAsset } from './media-asset.entity.js';

/** The facts and forms of an uploaded file. */
export interface StoredFile extends Pick<
  MediaAsset,
  'contentType' | 'width' | 'height' | 'postScriptName' | 'md5'
> {
  forms: AssetFormats<StoredBlob>;
}

const FILE = 'file_data_base64';
const fontTypes: Partial<Record<FileType, string>> = { ttf: 'font/ttf', otf: 'font/otf' };

export function sha256Of(file: Buffer): string {
  return createHash('sha256').update(file).digest('hex');
}

/** Turns uploaded files into what phones read, one at a time, so that large images never add up in memory. */
@Injectable()
export class MediaFilesService {
  private turn: Promise<unknown> = Promise.resolve();

  /** @throws ApiError 400 for other files and for those that cannot be read; 422 on a platform without a converter */
  read(file: Buffer): Promise<StoredFile> {
    const type = fileTypeOf(file);
    if (type === null) {
      throw ApiError.parameter(
        FILE,
        'Upload a PNG, JPEG, WebP or GIF image, or a font. For a video give its address.',
      );
    }
    const fontType = fontTypes[type];
    if (fontType !== undefined) return Promise.resolve(this.font(file, fontType));
    const converted = this.turn.then(() => this.image(file));
    this.turn = converted.catch(() => undefined);
    return converted;
  }

  private font(file: Buffer, contentType: string): StoredFile {
    const postScriptName = postScriptNameOf(file);
    if (postScriptName === null) throw ApiError.parameter(FILE, 'The font has no PostScript name.');
    const original = { contentType, bytes: file };
    return {
      contentType,
      width: null,
      height: null,
      postScriptName,
      md5: createHash('md5').update(file).digest('hex'),
      forms: { original },
    };
  }

  private async image(file: Buffer): Promise<StoredFile> {
    const converted = await convertImage(file).catch((error: unknown) => {
      if (error instanceof UnusableImage) throw ApiError.parameter(FILE, error.message);
      if (error instanceof NoConverter) throw new ApiError('impossible', error.message);
      throw error;
    });
    const blobOf = ({ contentType, bytes }: ImageFile): StoredBlob => ({ contentType, bytes });
    const { contentType, width, height } = converted.original;
    return {
      contentType,
      width,
      height,
      postScriptName: null,
      md5: null,
      forms: {
        original: blobOf(converted.original),
        heic: blobOf(converted.original),
        heic_low_res: blobOf(converted.originalLowRes),
        webp: blobOf(converted.webp),
        webp_low_res: blobOf(converted.webpLowRes),
      },
    };
  }
}
