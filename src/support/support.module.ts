import { Module } from '@nestjs/common';
import { AccessExplanationModule } from './access-explanation/access-explanation.module.js';
import { AttributesModule } from './attributes/attributes.module.js';
import { CustomerExportModule } from './export/customer-export.module.js';
import { CustomerLifecycleModule } from './lifecycle/customer-lifecycle.module.js';
import { CustomerSummariesModule } from './summaries/customer-summaries.module.js';

/** One customer, for the people who help them: attributes, creation and erasure, export, summary, and why they have access. */
@Module({
  imports: [
    AttributesModule,
    CustomerLifecycleModule,
    CustomerExportModule,
    CustomerSummariesModule,
    AccessExplanationModule,
  ],
})
export class SupportAreaModule {}
