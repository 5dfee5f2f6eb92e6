import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/apps.module.js';
import { EntitlementsModule } from '../entitlements/entitlements.module.js';
import { OfferingsModule } from '../offerings/offerings.module.js';
import { PackagesModule } from '../packages/packages.module.js';
import { ProductsModule } from '../products/products.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DemoCatalog } from './demo-catalog.js';
import { DemoService } from './demo.service.js';

/** What happens when a server has started. */
@Module({
  imports: [ProjectsModule, AppsModule, ProductsModule, EntitlementsModule, OfferingsModule, PackagesModule],
  providers: [DemoService, DemoCatalog],
})
export class StartupModule {}
