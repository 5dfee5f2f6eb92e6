import { alpha2Country } from '../../../libs/kernel/index.js';
import {
  ImpossibleScenario,
  latestStart,
  type TimelineStep,
  type Scenario,
  scenarioLife,
  type Terms,
} from '../../../libs/stores/index.js';
import type { Catalog, CatalogProduct } from '../../catalog/snapshot/catalog.model.js';
import { assertAppUserId } from '../../platform/http/bodies/app-user-id.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { storeProductOf } from '../../purchases/recording/test-store-reports.js';
import { assertCurrency, termsOf, testProduct } from './test-products.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';

const DAY_MS = 86_400_000;

/** A purchase described by a request and validated against the catalog. */
export interface TestSale {
  scenario: Scenario;
  appId: string;
  appUserId: string;
  /** The customer who restores the purchase afterwards, or null. */
  transferTo: string | null;
  product: CatalogProduct;
  terms: Terms;
  /** ISO 3166 alpha-2. */
  country: string | null;
  presentedOfferingId: string | null;
  startMs: number;
  /** The new product's terms; null for scenarios without a product change. */
  next: Terms | null;
}

/** Converts the error of an impossible scenario to an API error. @throws ApiError 422 */
export function possibly<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ImpossibleScenario) {
      throw new ApiError('impossible', error.message, { param: 'scenario' });
    }
    throw error;
  }
}

export function scenarioOf({ scenario = 'purchase' }: CreateTestPurchaseDto): Scenario {
  return (scenario === 'expiration' ? 'expire' : scenario) as Scenario;
}

/** The new product of a product change, from the same app. @throws ApiError 400, 404, 422 */
export function nextTerms(
  catalog: Catalog,
  body: CreateTestPurchaseDto,
  present: CatalogProduct,
  currency: string | null,
): Terms {
  const { new_product_id: name } = body;
  if (name === undefined) throw ApiError.parameter('new_product_id', 'new_product_id is missing.');
  const next = testProduct(catalog, { name, param: 'new_product_id', appId: present.appId });
  if (next.type !== 'subscription' || next.id === present.id) {
    throw new ApiError('impossible', 'The new product must be another subscription.', {
      param: 'new_product_id',
    });
  }
  return termsOf(storeProductOf(catalog, next, { currency }), {});
}

function startOf(body: CreateTestPurchaseDto, latestMs: number, nowMs: number): number {
  const { purchased_at: purchasedAt, offset_days: offsetDays } = body;
  if (purchasedAt === undefined) return Math.max(0, latestMs - (offsetDays ?? 0) * DAY_MS);
  if (offsetDays !== undefined) {
    throw ApiError.parameter('purchased_at', 'Give purchased_at or offset_days, not both.');
  }
  if (purchasedAt > nowMs)
    throw ApiError.parameter('purchased_at', 'purchased_at must not be in the future.');
  if (purchasedAt > latestMs) {
    throw ApiError.parameter(
      'purchased_at',
      'purchased_at is too late: the scenario would not be finished by now.',
    );
  }
  return purchasedAt;
}

function countryOf(code: string | undefined): string | null {
  const country = alpha2Country(code);
  if (code !== undefined && country === null) {
    throw ApiError.parameter('country_code', 'country_code must be an ISO 3166 country.');
  }
  return country;
}

function receiverOf(scenario: Scenario, { transfer_to: receiver }: CreateTestPurchaseDto): string | null {
  if (scenario !== 'transfer') return null;
  assertAppUserId(receiver, 'transfer_to');
  return receiver;
}

/**
 * @throws ApiError 400 naming the field; 404 for an unknown product or app; 422 for a product of another store, or a
 *   scenario that its type does not support
 */
export function testSale(catalog: Catalog, body: CreateTestPurchaseDto, nowMs: number): TestSale {
  const scenario = scenarioOf(body);
  const { app_user_id: appUserId, product_id: name, app_id: appId = null } = body;
  assertAppUserId(appUserId);
  if (name === undefined) throw ApiError.parameter('product_id', 'product_id is missing.');
  assertCurrency(body);
  const country = countryOf(body.country_code);
  const transferTo = receiverOf(scenario, body);
  const product = testProduct(catalog, { name, param: 'product_id', appId });
  if (product.type !== 'subscription' && scenario !== 'purchase' && scenario !== 'refund') {
    throw new ApiError('impossible', `A product of type ${product.type} has no scenario ${scenario}.`, {
      param: 'scenario',
    });
  }
  const changes = scenario === 'product_change' || scenario === 'product_change_deferred';
  const terms = termsOf(storeProductOf(catalog, product, { currency: body.currency ?? null }), body);
  return {
    scenario,
    appId: product.appId,
    appUserId,
    transferTo,
    product,
    terms,
    country,
    presentedOfferingId: body.presented_offering_id ?? null,
    startMs: startOf(body, latestStart(scenario, terms.product, nowMs), nowMs),
    next: changes ? nextTerms(catalog, body, product, terms.price.currency) : null,
  };
}

/** The steps of the sold subscription's lifetime. @throws ApiError 422 */
export function lifeOf(sale: TestSale, token: string, nowMs: number): TimelineStep[] {
  const { scenario, terms, product, country, presentedOfferingId, next, startMs } = sale;
  const { gracePeriodDuration: graceDuration } = product;
  const sold = { ...terms, token, country, presentedOfferingId, graceDuration, next };
  return possibly(() => scenarioLife(scenario, sold, startMs, nowMs));
}
