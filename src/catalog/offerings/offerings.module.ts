import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PackagesModule } from '../packages/packages.module.js';
import { ProductsModule } from '../products/products.module.js';
import { Offering } from './offering.entity.js';
import { OfferingsController } from './offerings.controller.js';
import { OfferingsRepository } from './offerings.repository.js';
import { OfferingsService } from './offerings.service.js';

@Module({
  imports: [PackagesModule, ProductsModule, TypeOrmModule.forFeature([Offering])],
  controllers: [OfferingsController],
  providers: [OfferingsRepository, OfferingsService],
  exports: [OfferingsService],
})
export class OfferingsModule {}
