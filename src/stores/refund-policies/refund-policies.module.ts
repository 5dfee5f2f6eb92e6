import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { RefundPoliciesController } from './refund-policies.controller.js';
import { RefundPoliciesRepository } from './refund-policies.repository.js';
import { RefundPoliciesService } from './refund-policies.service.js';
import { RefundPolicy } from './refund-policy.entity.js';

@Module({
  imports: [CatalogModule, TypeOrmModule.forFeature([RefundPolicy])],
  controllers: [RefundPoliciesController],
  providers: [RefundPoliciesRepository, RefundPoliciesService],
  exports: [RefundPoliciesService],
})
export class RefundPoliciesModule {}
