import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchaseLookupsModule } from '../lookups/purchase-lookups.module.js';
import { OneTimeIdentifier } from './one-time-identifier.entity.js';
import { OneTimePurchaseEntity } from './one-time-purchase.entity.js';
import { OneTimePurchasesV2Controller } from './one-time-purchases.v2.controller.js';
import './customer-rows.sql.js';

@Module({
  imports: [PurchaseLookupsModule, TypeOrmModule.forFeature([OneTimeIdentifier, OneTimePurchaseEntity])],
  controllers: [OneTimePurchasesV2Controller],
})
export class OneTimePurchasesModule {}
