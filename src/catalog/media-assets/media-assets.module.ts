import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { MediaAsset } from './media-asset.entity.js';
import { MediaAssetsController } from './media-assets.controller.js';
import { MediaAssetsRepository } from './media-assets.repository.js';
import { MediaAssetsService } from './media-assets.service.js';
import { MediaFilesService } from './media-files.service.js';

/** Uploaded images and fonts. */
@Module({
  imports: [BlobsModule, TypeOrmModule.forFeature([MediaAsset])],
  controllers: [MediaAssetsController],
  providers: [MediaAssetsRepository, MediaAssetsService, MediaFilesService],
  exports: [MediaAssetsService],
})
export class MediaAssetsModule {}
