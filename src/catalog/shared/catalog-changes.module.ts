import { Module } from '@nestjs/common';
import { CatalogChanges } from './catalog-changes.service.js';

@Module({ providers: [CatalogChanges], exports: [CatalogChanges] })
export class CatalogChangesModule {}
