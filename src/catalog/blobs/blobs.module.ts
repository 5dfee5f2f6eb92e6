import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsV1Controller } from './blobs.v1.controller.js';
import { ContentBlob } from './content-blob.entity.js';
import { ContentBlobsRepository } from './content-blobs.repository.js';
import { ContentBlobsService } from './content-blobs.service.js';

/** Content that SDKs fetch by its checksum. */
@Module({
  imports: [TypeOrmModule.forFeature([ContentBlob])],
  controllers: [BlobsV1Controller],
  providers: [ContentBlobsRepository, ContentBlobsService],
  exports: [ContentBlobsService],
})
export class BlobsModule {}
