import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { PostedReceipt, StoreAdapter, Verified } from '../../../libs/stores/index.js';
import type { Catalog, CatalogApp } from '../../catalog/snapshot/catalog.model.js';
import { SdkCatalogService, type SdkClient } from '../../catalog/snapshot/sdk-catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { keysOfPurchases } from '../../customers/customers/customer-info/customer-purchases.js';
import { CustomersService, hasAppUserId } from '../../customers/customers/identity/customers.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { ImportedKeysService } from '../../purchases/lookups/imported-keys.service.js';
import { decideOwners, ownersOf } from '../../purchases/ownership/ownership.policy.js';
import { StoreConnectionsService } from '../../stores/shared/store-connections.service.js';

/** Only the owner matters here, not the product. */
const ANY_PRODUCT = 'unknown';

@Injectable()
export class RestoreEligibilityService {
  constructor(
    private readonly catalogs: SdkCatalogService,
    private readonly customers: CustomersService,
    private readonly stores: StoreConnectionsService,
    private readonly imported: ImportedKeysService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * False if the project's transfer behavior would refuse the purchase (code 7102). After any other failure it returns
   * true, because posting the receipt returns the more precise error.
   */
  async isAllowed(
    client: SdkClient,
    appUserId: string,
    { fetchToken, isSandbox }: Pick<PostedReceipt, 'fetchToken' | 'isSandbox'>,
  ): Promise<boolean> {
    const { catalog, app } = await this.catalogs.caller(client);
    const adapter = await this.adapterOf(catalog, app);
    const verified = adapter && (await this.verify(adapter, { fetchToken, isSandbox }, catalog, app));
    if (!adapter || !verified) return true;
    const { environment, purchases, accounts = [] } = verified;
    const { store } = adapter;
    const place = { store, environment };
    const keys = [
      ...keysOfPurchases(purchases),
      ...(await this.imported.keysOf(this.database, catalog, place, purchases)),
    ];
    const rows = await this.customers.select(this.database, catalog.projectId, {
      appUserIds: [appUserId],
      purchaseKeys: { ...place, keys },
      accounts: accounts.map((account) => ({ ...account, appId: app.id })),
    });
    const claim = { ...place, isRestore: true, purchases, accounts };
    const others = rows.filter((row) => !hasAppUserId(row, appUserId));
    const decisions = decideOwners({
      claim,
      poster: rows.find((row) => hasAppUserId(row, appUserId)) ?? null,
      owners: ownersOf(claim, others),
      behavior: catalog.transferBehavior(environment),
      nowMs: this.clock.nowMs(),
    });
    return !decisions.includes('refuse');
  }

  /** Null if this server cannot query the store. */
  private async adapterOf(catalog: Catalog, app: CatalogApp): Promise<StoreAdapter | null> {
    try {
      return (await this.stores.adapterOf(catalog.projectId, app)).adapter;
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  private async verify(
    adapter: StoreAdapter,
    token: Pick<PostedReceipt, 'fetchToken' | 'isSandbox'>,
    catalog: Catalog,
    app: CatalogApp,
  ): Promise<Verified | null> {
    const receipt = {
      ...token,
      productIds: [ANY_PRODUCT],
      price: null,
      country: null,
      presentedOfferingId: null,
    };
    const result = await adapter.verify(receipt, {
      nowMs: this.clock.nowMs(),
      product: (storeIdentifier) => {
        const product = catalog.productOf(app.id, storeIdentifier);
        return product && { ...product, price: product.testStorePrice };
      },
      hadProduct: () => false,
    });
    return result.failure === null ? result : null;
  }
}
