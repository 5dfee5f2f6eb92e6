import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErasedPurchase } from './erased-purchase.entity.js';
import { ErasedPurchasesService } from './erased-purchases.service.js';
import { ErasedPurchasesRepository } from './erased-purchases.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ErasedPurchase])],
  providers: [ErasedPurchasesRepository, ErasedPurchasesService],
  exports: [ErasedPurchasesService],
})
export class ErasedPurchasesModule {}
