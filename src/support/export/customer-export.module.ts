import { Module } from '@nestjs/common';
import { CustomerExportRepository } from './customer-export.repository.js';
import { CustomerExportService } from './customer-export.service.js';
import { CustomerExportV2Controller } from './customer-export.v2.controller.js';

@Module({
  controllers: [CustomerExportV2Controller],
  providers: [CustomerExportRepository, CustomerExportService],
})
export class CustomerExportModule {}
