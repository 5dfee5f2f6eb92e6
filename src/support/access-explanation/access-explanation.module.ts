import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../../customers/customers/customers.module.js';
import { AccessExplanationRepository } from './access-explanation.repository.js';
import { AccessExplanationService } from './access-explanation.service.js';
import { AccessExplanationV2Controller } from './access-explanation.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule],
  controllers: [AccessExplanationV2Controller],
  providers: [AccessExplanationRepository, AccessExplanationService],
})
export class AccessExplanationModule {}
