import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { StoresModule } from '../../stores/shared/stores.module.js';
import { PublicKeyImportController } from './public-key-import.controller.js';
import { PublicKeyImportsService } from './public-key-imports.service.js';

@Module({
  imports: [AppsModule, StoresModule],
  controllers: [PublicKeyImportController],
  providers: [PublicKeyImportsService],
})
export class PublicKeyImportModule {}
