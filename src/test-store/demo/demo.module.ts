import { Module } from '@nestjs/common';
import { AppsModule } from '../../catalog/apps/apps.module.js';
import { EntitlementsModule } from '../../catalog/entitlements/entitlements.module.js';
import { OfferingsModule } from '../../catalog/offerings/offerings.module.js';
import { PackagesModule } from '../../catalog/packages/packages.module.js';
import { ProductsModule } from '../../catalog/products/products.module.js';
import { ProjectsModule } from '../../workspace/projects/projects.module.js';
import { DemoCatalogService } from './demo-catalog.service.js';
import { DemoRepository } from './demo.repository.js';
import { DemoService } from './demo.service.js';

@Module({
  imports: [ProjectsModule, AppsModule, ProductsModule, EntitlementsModule, OfferingsModule, PackagesModule],
  providers: [DemoService, DemoRepository, DemoCatalogService],
})
export class DemoModule {}
