import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { ErasedPurchasesModule } from '../erased/erased-purchases.module.js';
import { PurchaseLookupsModule } from '../lookups/purchase-lookups.module.js';
import { OwnershipChangeEntity } from './ownership-change.entity.js';
import { OwnershipChangesRepository } from './ownership-changes.repository.js';
import { OwnershipHistoryController } from './ownership-history.v2.controller.js';
import { OwnershipService } from './ownership.service.js';
import { PurchaseClaims } from './purchase-claims.service.js';
import { ReportedOwnersService } from './reported-owners.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [
    CustomersModule,
    ErasedPurchasesModule,
    PurchaseLookupsModule,
    TypeOrmModule.forFeature([OwnershipChangeEntity]),
  ],
  controllers: [OwnershipHistoryController],
  providers: [OwnershipChangesRepository, OwnershipService, PurchaseClaims, ReportedOwnersService],
  exports: [OwnershipService, PurchaseClaims, ReportedOwnersService],
})
export class OwnershipModule {}
