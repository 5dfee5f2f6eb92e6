import { Module } from '@nestjs/common';
import { AppsModule } from './apps/apps.module.js';
import { BlobsModule } from './blobs/blobs.module.js';
import { EntitlementsModule } from './entitlements/entitlements.module.js';
import { OfferingsModule } from './offerings/offerings.module.js';
import { PackagesModule } from './packages/packages.module.js';
import { PaywallIconsModule } from './paywall-icons/paywall-icons.module.js';
import { PaywallsModule } from './paywalls/paywalls.module.js';
import { ProductsModule } from './products/products.module.js';
import { CatalogModule } from './snapshot/catalog.module.js';

/**
 * A project's catalog: apps, products, entitlements, offerings with their packages and paywalls, and the snapshot of
 * them that requests read.
 */
@Module({
  imports: [
    CatalogModule,
    AppsModule,
    BlobsModule,
    EntitlementsModule,
    OfferingsModule,
    PackagesModule,
    PaywallIconsModule,
    PaywallsModule,
    ProductsModule,
  ],
})
export class CatalogAreaModule {}
