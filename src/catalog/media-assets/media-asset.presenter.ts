import type { MediaAsset } from './media-asset.entity.js';
import type { MediaAssetDto } from './media-asset.dto.js';

export function presentMediaAsset(asset: MediaAsset, baseUrl: string): MediaAssetDto {
  const { formats } = asset;
  const addressOf = (ref: string | undefined) => (ref === undefined ? null : `${baseUrl}/${ref}`);
  return {
    object: 'media_asset',
    id: asset.id,
    filename: asset.filename,
    content_type: asset.contentType,
    width: asset.width,
    height: asset.height,
    created_at: asset.createdAt.getTime(),
    asset_base_url: baseUrl,
    formats: {
      original: `${baseUrl}/${formats.original}`,
      heic: addressOf(formats.heic),
      heic_low_res: addressOf(formats.heic_low_res),
      webp: addressOf(formats.webp),
      webp_low_res: addressOf(formats.webp_low_res),
    },
  };
}
