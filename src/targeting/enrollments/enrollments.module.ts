import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { PurchasesModule } from '../../purchases/recording/purchases.module.js';
import { ExperimentEnrollment } from './experiment-enrollment.entity.js';
import { EnrollmentQueueService } from './enrollment-queue.service.js';
import { EnrollmentsRepository } from './enrollments.repository.js';
import { EnrollmentsService } from './enrollments.service.js';
import './customer-rows.sql.js';

@Module({
  imports: [CustomersModule, PurchasesModule, TypeOrmModule.forFeature([ExperimentEnrollment])],
  providers: [EnrollmentsRepository, EnrollmentsService, EnrollmentQueueService],
  exports: [EnrollmentQueueService],
})
export class EnrollmentsModule {}
