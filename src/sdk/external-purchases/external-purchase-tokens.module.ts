import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ExternalPurchasesModule } from '../../purchases/external-purchases/external-purchases.module.js';
import { ExternalPurchaseTokensV1Controller } from './external-purchase-tokens.v1.controller.js';

@Module({
  imports: [CatalogModule, ExternalPurchasesModule],
  controllers: [ExternalPurchaseTokensV1Controller],
})
export class ExternalPurchaseTokensModule {}
