import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { CustomersModule } from '../customers/customers.module.js';
import { OfferingOverridesService } from './offering-overrides.service.js';
import { OfferingOverridesV1Controller } from './offering-overrides.v1.controller.js';
import { OfferingOverridesV2Controller } from './offering-overrides.v2.controller.js';

@Module({
  imports: [CatalogModule, CustomersModule],
  controllers: [OfferingOverridesV1Controller, OfferingOverridesV2Controller],
  providers: [OfferingOverridesService],
})
export class OfferingOverridesModule {}
