import { type Subscription, viewSubscription } from '../../../libs/engine/index.js';
import { type Act, acts, actSteps, type TimelineStep } from '../../../libs/stores/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { SubscriptionRow } from '../../customers/customers/identity/customer-state.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { storeProductOf } from '../../purchases/recording/test-store-reports.js';
import { assertCurrency, termsOf, testProduct } from './test-products.js';
import type { CreateTestPurchaseDto } from './test-purchase.dto.js';
import { nextTerms, possibly, scenarioOf } from './test-sale.js';

/** Fields that apply only to a new purchase. */
const ofPurchases = [
  'purchased_at',
  'offset_days',
  'presented_offering_id',
  'country_code',
  'transfer_to',
] as const;

/** @throws ApiError 400 naming the field, also for a scenario that needs a new purchase */
export function requestedAct(body: CreateTestPurchaseDto): Act {
  const scenario = scenarioOf(body);
  if (!(acts as readonly string[]).includes(scenario)) {
    throw ApiError.parameter('scenario', `With subscription_id, scenario must be one of ${acts.join(', ')}.`);
  }
  const stray = ofPurchases.find((name) => body[name] !== undefined);
  if (stray) throw ApiError.parameter(stray, `${stray} cannot be given together with subscription_id.`);
  assertCurrency(body);
  return scenario as Act;
}

/** @throws ApiError 400 for another subscription's product; 404 for an unknown one; 422 for an impossible scenario */
export function stepsOf(
  catalog: Catalog,
  body: CreateTestPurchaseDto,
  subscription: Subscription & Pick<SubscriptionRow, 'appId'>,
  { nowMs, isTestClock }: { nowMs: number; isTestClock: boolean },
): TimelineStep[] {
  const act = requestedAct(body);
  const { latest } = viewSubscription(subscription.facts);
  const product = catalog.productOf(subscription.appId, latest.storeProductId, latest.planId);
  if (!product) throw new ApiError('impossible', 'The product of the subscription no longer exists.');
  if (body.product_id !== undefined) {
    const named = testProduct(catalog, {
      name: body.product_id,
      param: 'product_id',
      appId: subscription.appId,
    });
    if (named.id !== product.id) {
      throw ApiError.parameter('product_id', 'The subscription belongs to another product.');
    }
  }
  const charged = latest.kind === 'trial' ? null : latest.price;
  const { currency = latest.price.currency } = body;
  const own = termsOf(storeProductOf(catalog, product, { currency, isTestClock }), body, charged);
  const next = act === 'product_change' ? nextTerms(catalog, body, product, currency) : null;
  const { gracePeriodDuration: graceDuration } = product;
  return possibly(() => actSteps(act, subscription, { own, next, graceDuration }, nowMs));
}
