import { Module } from '@nestjs/common';
import { BlobsModule } from '../../catalog/blobs/blobs.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { RemoteConfigService } from './remote-config.service.js';
import { RemoteConfigV1Controller } from './remote-config.v1.controller.js';

@Module({
  imports: [BlobsModule, CatalogModule],
  controllers: [RemoteConfigV1Controller],
  providers: [RemoteConfigService],
})
export class RemoteConfigModule {}
