import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RefundPoliciesModule } from '../refund-policies/refund-policies.module.js';
import { RefundRequest } from './refund-request.entity.js';
import { RefundPreviewController } from './reports/refund-preview.controller.js';
import { RefundPreviewService } from './reports/refund-preview.service.js';
import { RefundReportsRepository } from './reports/refund-reports.repository.js';
import { RefundStatisticsController } from './reports/refund-statistics.controller.js';
import { RefundStatisticsService } from './reports/refund-statistics.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [RefundPoliciesModule, TypeOrmModule.forFeature([RefundRequest])],
  // Statistics come before the route of a single request, whose path would match them.
  controllers: [RefundStatisticsController, RefundPreviewController],
  providers: [RefundPreviewService, RefundReportsRepository, RefundStatisticsService],
})
export class RefundRequestsModule {}
