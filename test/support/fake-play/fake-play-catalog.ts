import { googleError, type PlayAnswer, type PlayCall } from './play-answer.js';

type GoogleObject = Record<string, unknown>;

const DEFAULT_PAGE = 50;
const MAX_PAGE = 1000;

const fields: Record<string, 'subscriptions' | 'subscriptionOffers' | 'oneTimeProducts'> = {
  '/subscriptions': 'subscriptions',
  '/subscriptions/-/basePlans/-/offers': 'subscriptionOffers',
  '/oneTimeProducts': 'oneTimeProducts',
};

function regional(price: number, currencyCode = 'USD', regionCode = 'US'): GoogleObject {
  const nanos = Math.round((price % 1) * 1e9);
  return {
    regionCode,
    newSubscriberAvailability: true,
    availability: 'AVAILABLE',
    price: { currencyCode, units: String(Math.floor(price)), ...(nanos > 0 && { nanos }) },
  };
}

export interface FakeBasePlan {
  id: string;
  period: string;
  price: number;
  state?: 'ACTIVE' | 'DRAFT' | 'INACTIVE';
  prepaid?: boolean;
}

/** The products of an app in the Play Console. Google leaves empty fields and lists out. */
export class FakePlayCatalog {
  /** The account may not read the catalog. */
  isHidden = false;
  /** The service may return fewer items than asked for. */
  maxPage = MAX_PAGE;
  private readonly subscriptions: GoogleObject[] = [];
  private readonly subscriptionOffers: GoogleObject[] = [];
  private readonly oneTimeProducts: GoogleObject[] = [];

  addSubscription(productId: string, title: string, plans: FakeBasePlan[]): void {
    this.subscriptions.push({
      packageName: 'com.example.app',
      productId,
      listings: [
        { languageCode: 'de-DE', title: `${title} (de)` },
        { languageCode: 'en-US', title },
      ],
      basePlans: plans.map(({ id, period, price, state = 'ACTIVE', prepaid }) => ({
        basePlanId: id,
        state,
        [prepaid ? 'prepaidBasePlanType' : 'autoRenewingBasePlanType']: { billingPeriodDuration: period },
        regionalConfigs: [regional(price * 0.9, 'EUR', 'DE'), regional(price)],
      })),
    });
  }

  /** An offer with a free first phase, or a discounted one. */
  addOffer(
    productId: string,
    basePlanId: string,
    offerId: string,
    trial: string | null,
    state = 'ACTIVE',
  ): void {
    const config = trial === null ? { relativeDiscount: 0.5 } : { free: {} };
    const phase = {
      recurrenceCount: 1,
      duration: trial ?? 'P1M',
      regionalConfigs: [{ regionCode: 'US', ...config }],
    };
    this.subscriptionOffers.push({ productId, basePlanId, offerId, state, phases: [phase] });
  }

  addOneTimeProduct(productId: string, title: string, price: number, more: GoogleObject = {}): void {
    this.oneTimeProducts.push({
      productId,
      listings: [{ languageCode: 'fr-FR', title }],
      purchaseOptions: [
        {
          purchaseOptionId: 'option',
          state: 'ACTIVE',
          ...('rentOption' in more ? {} : { buyOption: { legacyCompatible: true } }),
          regionalPricingAndAvailabilityConfigs: [regional(price)],
          ...more,
        },
      ],
    });
  }

  /** Null if the call is about something else. */
  answer({ method, path, query }: PlayCall): PlayAnswer | null {
    const field = fields[path];
    if (field === undefined || method !== 'GET') return null;
    if (this.isHidden) return googleError(403, 'permissionDenied', 'The caller does not have permission');
    const all = this[field];
    const size = Math.min(Number(query.get('pageSize') ?? DEFAULT_PAGE), MAX_PAGE, this.maxPage);
    const from = Number(query.get('pageToken') ?? 0);
    const items = all.slice(from, from + size);
    const more = from + size < all.length;
    const next = more && { nextPageToken: String(from + size) };
    return { status: 200, body: { ...(items.length > 0 && { [field]: items }), ...next } };
  }
}
