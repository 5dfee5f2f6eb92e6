import { Injectable } from '@nestjs/common';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { sdkEtag } from '../../platform/http/pipeline/sdk-answer.js';
import type { Catalog } from './catalog.model.js';
import { type CatalogOfApp, CatalogService } from './catalog.service.js';
import { presentEntitlementMapping } from './entitlement-mapping.presenter.js';
import { appForPlatform } from './platform.js';
import { testStorePriceIn } from './test-store-prices.policy.js';
import { presentWebProducts } from './web-products.presenter.js';

export interface SdkText {
  body: string;
  etag: string;
}

export interface SdkClient {
  principal: SdkPrincipal;
  platform: string | undefined;
  sdkVersion: string | undefined;
}

export interface WebProductsQuestion {
  storeIdentifiers: string[];
  /** ISO 4217. Null: the default price of each product. */
  currency: string | null;
}

/** Maximum number of responses cached per catalog version. Apps request few combinations of products. */
const MAX_TEXTS = 200;

function text(appId: string, body: object): SdkText {
  const json = JSON.stringify(body);
  return { body: json, etag: sdkEtag(appId, json) };
}

/** Catalog responses for the SDKs, rendered once per catalog version and app. */
@Injectable()
export class SdkCatalogService {
  private readonly texts = new WeakMap<Catalog, Map<string, SdkText>>();

  constructor(private readonly catalogs: CatalogService) {}

  async webProducts(
    client: SdkClient,
    { storeIdentifiers, currency }: WebProductsQuestion,
  ): Promise<SdkText> {
    const { catalog, app } = await this.caller(client);
    const products = [...new Set(storeIdentifiers)].flatMap((identifier) => {
      const product = catalog.productOf(app.id, identifier);
      return product?.active ? [product] : [];
    });
    // By the currencies of the prices, not the one in the request, which can be any text.
    const parts = products.map((product) => `${product.id} ${testStorePriceIn(product, currency)?.currency}`);
    return this.kept(catalog, `products/${app.id}/${parts.join('/')}`, () =>
      text(app.id, presentWebProducts(products, currency)),
    );
  }

  async entitlementMapping(client: SdkClient): Promise<SdkText> {
    const { catalog, app } = await this.caller(client);
    return this.kept(catalog, `mapping/${app.id}`, () =>
      text(app.id, presentEntitlementMapping(catalog, app.id)),
    );
  }

  /**
   * Returns the app of a public key or access token; for a secret key, the one selected by `X-Platform`.
   * @throws ApiError 401 for the key of a deleted app; 400, code 7000, without a usable `X-Platform`
   */
  async caller({ principal, platform }: SdkClient): Promise<CatalogOfApp> {
    if (principal.kind !== 'secret_key') return this.catalogs.ofApp(principal.projectId, principal.appId);
    const catalog = await this.catalogs.get(principal.projectId);
    return { catalog, app: appForPlatform(catalog, platform) };
  }

  private kept(catalog: Catalog, key: string, make: () => SdkText): SdkText {
    const texts = this.texts.get(catalog) ?? new Map<string, SdkText>();
    this.texts.set(catalog, texts);
    const known = texts.get(key);
    if (known) return known;
    // Evict the oldest: a Map keeps insertion order.
    if (texts.size >= MAX_TEXTS) texts.delete(texts.keys().next().value ?? '');
    const made = make();
    texts.set(key, made);
    return made;
  }
}
