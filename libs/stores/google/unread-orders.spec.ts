import type { PeriodFact, Price } from '../../engine/index.js';
import type { Order, SubscriptionItem, SubscriptionPurchase } from './play-resources.js';
import { subscriptionFacts } from './subscription-facts.js';

const ORDER_ID = 'GPA.1111-1111-1636-96411';
const START_MS = Date.UTC(2026, 3, 1);
const YEAR_MS = 365 * 86_400_000;
const listed: Price = { amountMicros: 65_000_000_000, currency: 'KRW', source: 'catalog' };
const free: Price = { ...listed, amountMicros: 0 };
const unknown: Price = { amountMicros: null, currency: null, source: 'unknown' };

/** A yearly plan that replaced a monthly one. */
function replacing(changes: Partial<SubscriptionItem>, orderId = ORDER_ID): SubscriptionPurchase {
  return {
    startTime: new Date(START_MS).toISOString(),
    regionCode: 'KR',
    subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE',
    linkedPurchaseToken: 'old',
    lineItems: [
      {
        productId: 'sub_test',
        expiryTime: new Date(START_MS + YEAR_MS).toISOString(),
        autoRenewingPlan: {
          autoRenewEnabled: true,
          recurringPrice: { currencyCode: 'KRW', units: '65000' },
        },
        offerDetails: { basePlanId: 'sub-test-1y' },
        latestSuccessfulOrderId: orderId,
        ...changes,
      },
    ],
  };
}

function periodOf(
  purchase: SubscriptionPurchase,
  orders: Order[] = [],
  orderId = ORDER_ID,
): PeriodFact | undefined {
  const devicePrice = { amountMicros: 65_000_000_000, currency: 'KRW' };
  const context = { devicePrice, durationOf: () => null };
  const { facts } = subscriptionFacts({ token: 'new', purchase, orders, atMs: START_MS + 1, context });
  return facts.periods[orderId]?.value;
}

const priceOf = (...report: Parameters<typeof periodOf>) => periodOf(...report)?.price;
/** The price of a whole period that is reported beside a lower charge. */
const wholePriceOf = (...report: Parameters<typeof periodOf>) =>
  periodOf(...report)?.terms?.map(({ sinceMs, valueMicros }) => [sinceMs, valueMicros]);

const mode = (replacementMode?: string): SubscriptionItem['itemReplacement'] => ({
  productId: 'sub_test',
  basePlanId: 'sub-test-1m',
  replacementMode,
});

const orderOf = (units: string, currencyCode = 'KRW'): Order => {
  const total = { currencyCode, units };
  return { orderId: ORDER_ID, total, lineItems: [{ productId: 'sub_test', total }] };
};

describe('the first period after a replacement whose order cannot be read', () => {
  it.each<[string, Partial<SubscriptionItem>, Price]>([
    ['nothing without proration', { itemReplacement: mode('WITHOUT_PRORATION') }, free],
    ['nothing with time proration', { itemReplacement: mode('WITH_TIME_PRORATION') }, free],
    ['the list price at full price', { itemReplacement: mode('CHARGE_FULL_PRICE') }, listed],
    ['the list price if it was deferred', { itemReplacement: mode('DEFERRED') }, listed],
    ['an unknown price at a prorated price', { itemReplacement: mode('CHARGE_PRORATED_PRICE') }, unknown],
    ['an unknown price in a mode of the future', { itemReplacement: mode('SOMETHING_NEW') }, unknown],
    ['an unknown price in a mode that is not named', { itemReplacement: mode() }, unknown],
    ['an unknown price if only the linked purchase shows the replacement', {}, unknown],
    [
      'the price on the device as a prepaid top-up, which is paid in full',
      { prepaidPlan: {}, autoRenewingPlan: undefined },
      { ...listed, source: 'device' },
    ],
    ['an unknown price in a period of proration', { offerPhase: { prorationPeriod: {} } }, unknown],
    [
      'nothing in a period of proration that costs nothing',
      { itemReplacement: mode('WITHOUT_PRORATION'), offerPhase: { prorationPeriod: {} } },
      free,
    ],
  ])('costs %s', (_, changes, price) => {
    expect(priceOf(replacing(changes))).toEqual(price);
  });

  it('costs what the order says once that is read', () => {
    const purchase = replacing({ itemReplacement: mode('WITHOUT_PRORATION') });
    expect(priceOf(purchase, [orderOf('1200')])).toEqual({
      amountMicros: 1_200_000_000,
      currency: 'KRW',
      source: 'order',
    });
  });

  it('precedes periods at the list price', () => {
    const renewed = `${ORDER_ID}..0`;
    const purchase = replacing({ itemReplacement: mode('WITHOUT_PRORATION') }, renewed);
    expect(priceOf(purchase, [], renewed)).toEqual(listed);
  });
});

describe('the price of a whole period after a replacement', () => {
  const whole = [[START_MS, 65_000_000_000]];

  it.each<[string, Partial<SubscriptionItem>, Order[]]>([
    ['that is free', { itemReplacement: mode('WITHOUT_PRORATION') }, []],
    ['that is free by its order', { itemReplacement: mode('WITH_TIME_PRORATION') }, [orderOf('0')]],
    ['whose prorated charge is unknown', { itemReplacement: mode('CHARGE_PRORATED_PRICE') }, []],
    ['with a prorated charge', { itemReplacement: mode('CHARGE_PRORATED_PRICE') }, [orderOf('1200')]],
    ['in a mode of the future', { itemReplacement: mode('SOMETHING_NEW') }, [orderOf('1200')]],
    ['in a period of proration', { offerPhase: { prorationPeriod: {} } }, [orderOf('1200')]],
    ['that only the linked purchase shows', {}, []],
  ])('equals the recurring price: %s', (_, changes, orders) => {
    expect(wholePriceOf(replacing(changes), orders)).toEqual(whole);
  });

  it.each<[string, Partial<SubscriptionItem>, Order[]]>([
    ['at full price', { itemReplacement: mode('CHARGE_FULL_PRICE') }, []],
    ['that was deferred', { itemReplacement: mode('DEFERRED') }, []],
    ['whose order has a tax on top', { itemReplacement: mode('SOMETHING_NEW') }, [orderOf('71500')]],
    ['that is known by a link only', {}, [orderOf('1200')]],
    ['in another currency', { itemReplacement: mode('CHARGE_PRORATED_PRICE') }, [orderOf('5', 'USD')]],
    ['as a prepaid top-up', { prepaidPlan: {}, autoRenewingPlan: undefined }, []],
    ['into a trial', { itemReplacement: mode('WITHOUT_PRORATION'), offerPhase: { freeTrial: {} } }, []],
    [
      'at an introductory price',
      { itemReplacement: mode('WITHOUT_PRORATION'), offerPhase: { introductoryPrice: {} } },
      [],
    ],
  ])('stays unreported beside the charge: %s', (_, changes, orders) => {
    expect(wholePriceOf(replacing(changes), orders)).toBeUndefined();
  });

  it('stays unreported for later periods', () => {
    const renewed = `${ORDER_ID}..0`;
    const purchase = replacing({ itemReplacement: mode('WITHOUT_PRORATION') }, renewed);
    expect(wholePriceOf(purchase, [], renewed)).toBeUndefined();
  });
});
