import { Module } from '@nestjs/common';
import { AccessExplanationModule } from './access-explanation/access-explanation.module.js';
import { AttributesModule } from './attributes/attributes.module.js';
import { CustomerListModule } from './customer-list/customer-list.module.js';
import { CustomerExportModule } from './export/customer-export.module.js';
import { CustomerLifecycleModule } from './lifecycle/customer-lifecycle.module.js';
import { CustomerSummariesModule } from './summaries/customer-summaries.module.js';

/** Customer support: attributes, creation and erasure, export, lists, summaries, and access explanations. */
@Module({
  imports: [
    AttributesModule,
    CustomerLifecycleModule,
    CustomerExportModule,
    CustomerListModule,
    CustomerSummariesModule,
    AccessExplanationModule,
  ],
})
export class SupportAreaModule {}
