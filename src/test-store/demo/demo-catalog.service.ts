import { Injectable } from '@nestjs/common';
import type { WriteTransaction } from '../../platform/audit/project-writes.service.js';
import type { ProductType } from '../../catalog/snapshot/catalog.model.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { EntitlementsService } from '../../catalog/entitlements/entitlements.service.js';
import { OfferingsService } from '../../catalog/offerings/offerings.service.js';
import { PackagesService } from '../../catalog/packages/packages.service.js';
import { ProductsService } from '../../catalog/products/products.service.js';

interface DemoProduct {
  storeIdentifier: string;
  type: ProductType;
  displayName: string;
  priceMicros: number;
  duration?: string;
  /** Unlocks `pro`. */
  isPro: boolean;
  /** Lookup key of its package in the current offering. */
  packageKey?: string;
}

const products: DemoProduct[] = [
  {
    storeIdentifier: 'pro_monthly',
    type: 'subscription',
    displayName: 'Pro, monthly',
    priceMicros: 9_990_000,
    duration: 'P1M',
    isPro: true,
    packageKey: '$rc_monthly',
  },
  {
    storeIdentifier: 'pro_annual',
    type: 'subscription',
    displayName: 'Pro, annual',
    priceMicros: 79_990_000,
    duration: 'P1Y',
    isPro: true,
    packageKey: '$rc_annual',
  },
  {
    storeIdentifier: 'pro_lifetime',
    type: 'non_consumable',
    displayName: 'Pro, for ever',
    priceMicros: 199_990_000,
    isPro: true,
  },
  {
    storeIdentifier: 'coins_100',
    type: 'consumable',
    displayName: '100 coins',
    priceMicros: 990_000,
    isPro: false,
  },
];

@Injectable()
export class DemoCatalogService {
  constructor(
    private readonly apps: AppsService,
    private readonly products: ProductsService,
    private readonly entitlements: EntitlementsService,
    private readonly offerings: OfferingsService,
    private readonly packages: PackagesService,
  ) {}

  async create(tx: WriteTransaction): Promise<void> {
    const app = await this.apps.createIn(tx, { name: 'Test Store', type: 'test_store' });
    const pro = await this.entitlements.createIn(tx, { lookup_key: 'pro', display_name: 'Pro' });
    const offering = await this.offerings.createIn(tx, {
      lookup_key: 'default',
      display_name: 'The standard offering',
    });
    for (const product of products) {
      const { id } = await this.products.createIn(tx, {
        store_identifier: product.storeIdentifier,
        app_id: app.id,
        type: product.type,
        display_name: product.displayName,
        subscription: product.duration ? { duration: product.duration } : null,
        test_store_price: { amount_micros: product.priceMicros, currency: 'USD' },
      });
      if (product.isPro) await this.entitlements.attachIn(tx, pro.id, [id]);
      if (product.packageKey === undefined) continue;
      const row = await this.packages.createIn(tx, offering.id, {
        lookup_key: product.packageKey,
        display_name: product.displayName,
      });
      await this.packages.attachIn(tx, row.id, [{ product_id: id }]);
    }
  }
}
