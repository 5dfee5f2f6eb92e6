import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { ExternalPurchaseTokenEntity } from './external-purchase-token.entity.js';
import { ExternalPurchaseTokensRepository } from './external-purchase-tokens.repository.js';
import { ExternalPurchaseTokensService } from './external-purchase-tokens.service.js';
import { ExternalPurchaseTokensV1Controller } from './external-purchase-tokens.v1.controller.js';
import './customer-rows.sql.js';

@Module({
  imports: [
    AppsModule,
    CatalogModule,
    CustomersModule,
    RateLimitsModule,
    TypeOrmModule.forFeature([ExternalPurchaseTokenEntity]),
  ],
  controllers: [ExternalPurchaseTokensV1Controller],
  providers: [ExternalPurchaseTokensRepository, ExternalPurchaseTokensService],
})
export class ExternalPurchasesModule {}
