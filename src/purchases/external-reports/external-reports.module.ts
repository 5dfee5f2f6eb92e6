import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { ExternalPurchaseReportEntity } from './external-purchase-report.entity.js';
import { ExternalPurchaseReportsCsvController } from './external-purchase-reports-csv.controller.js';
import { ExternalPurchaseReportsController } from './external-purchase-reports.controller.js';
import { ExternalPurchaseReportsRepository } from './external-purchase-reports.repository.js';
import { ExternalPurchaseReportsService } from './external-purchase-reports.service.js';
import { ReportMonthsRepository } from './report-months.repository.js';

/** Reports to app stores about purchases that were made outside them. */
@Module({
  imports: [TransactionsModule, TypeOrmModule.forFeature([ExternalPurchaseReportEntity])],
  controllers: [ExternalPurchaseReportsController, ExternalPurchaseReportsCsvController],
  providers: [ExternalPurchaseReportsRepository, ExternalPurchaseReportsService, ReportMonthsRepository],
  exports: [ExternalPurchaseReportsService],
})
export class ExternalReportsModule {}
