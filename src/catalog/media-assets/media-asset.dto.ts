import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';

/** Base64 of 2 MiB. */
const MAX_BASE64_LENGTH = 2_796_204;

/** A PNG image of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

@BodyExample({ filename: 'pixel.png', content_type: 'image/png', file_data_base64: PIXEL })
export class CreateMediaAssetDto {
  @StringField({ max: 255, example: 'header.png' })
  filename: string;

  @StringField({
    max: 100,
    example: 'image/png',
    description: 'Not used: the bytes of the file decide its type.',
  })
  content_type: string;

  @StringField({
    max: MAX_BASE64_LENGTH,
    pattern: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    patternText: 'must be base64',
    example: PIXEL,
    description: 'A PNG, JPEG, WebP or GIF image, or a TrueType or OpenType font, of at most 2 MiB.',
  })
  file_data_base64: string;
}

export class MediaAssetFormatsDto {
  @ApiProperty({
    type: String,
    description: 'PNG if parts of the image are transparent, otherwise JPEG; a font as it is.',
  })
  original: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'For iOS, which reads PNG and JPEG here as well. Null for a font, as the other forms.',
  })
  heic: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'At most 400 pixels wide.' })
  heic_low_res: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'At most 2,000 pixels wide.' })
  webp: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'At most 400 pixels wide.' })
  webp_low_res: string | null;
}

export class MediaAssetDto {
  @ApiProperty({ enum: ['media_asset'] })
  object: 'media_asset';

  @ApiProperty({ type: String, example: 'mdas0mx2dpw2j0223y43' })
  id: string;

  @ApiProperty({ type: String, example: 'header.png' })
  filename: string;

  @ApiProperty({
    enum: ['image/png', 'image/jpeg', 'font/ttf', 'font/otf'],
    description: 'Type of the stored `original`.',
  })
  content_type: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Pixels of `original`; null for a font.' })
  width: number | null;

  @ApiProperty({ type: 'integer', nullable: true })
  height: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: String, example: 'https://tenure.example.com/v1/blobs/proj1ab2c3d4' })
  asset_base_url: string;

  @ApiProperty({
    type: MediaAssetFormatsDto,
    description: 'Addresses of the forms, for documents of paywalls.',
  })
  formats: MediaAssetFormatsDto;
}

export class MediaAssetListDto extends listOf(MediaAssetDto) {}

export class DeletedMediaAssetDto extends deletedOf('media_asset') {}

export class ListMediaAssetsQuery extends PageQuery {}
