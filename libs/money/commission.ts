/** Known terms of a sale, in addition to its store. Without them, the store's standard rate applies. */
export interface CommissionTerms {
  /** Default: subscription. */
  product?: 'subscription' | 'one_time';
  /** The sale renews an auto-renewable subscription that has been paid for longer than a year. */
  afterFirstPaidYear?: boolean;
  /** The app was in the store's small business program at the time of the sale. */
  smallBusiness?: boolean;
  /** The app's negotiated rate in basis points: for one-time sales on Google Play, payment providers and Roku. */
  agreedBps?: number;
}

const ALL_BPS = 10_000;

function appleBps({ product, afterFirstPaidYear, smallBusiness }: CommissionTerms): number {
  const loyal = product !== 'one_time' && afterFirstPaidYear === true;
  return smallBusiness === true || loyal ? 1500 : 3000;
}

function googleBps({ product, agreedBps }: CommissionTerms): number {
  return product === 'one_time' ? (agreedBps ?? 1500) : 1500;
}

const providerBps = ({ agreedBps }: CommissionTerms): number => agreedBps ?? 0;

/** Roku charges 20% of every sale and does not report it. */
const rokuBps = ({ agreedBps }: CommissionTerms): number => agreedBps ?? 2000;

const byStore: ReadonlyMap<string, (terms: CommissionTerms) => number> = new Map([
  ['app_store', appleBps],
  ['mac_app_store', appleBps],
  ['play_store', googleBps],
  ['amazon', ({ smallBusiness }: CommissionTerms) => (smallBusiness === true ? 2000 : 3000)],
  ['stripe', providerBps],
  ['paddle', providerBps],
  ['rc_billing', providerBps],
  ['roku', rokuBps],
]);

/**
 * Basis points of the gross price (10,000 = 100%); 0 for stores without a commission and unknown stores.
 * @throws RangeError unless the agreed rate is an integer from 0 to 10,000
 */
export function commissionBps(store: string, terms: CommissionTerms = {}): number {
  const { agreedBps = 0 } = terms;
  if (!Number.isInteger(agreedBps) || agreedBps < 0 || agreedBps > ALL_BPS) {
    throw new RangeError(`A commission of ${agreedBps} basis points is impossible`);
  }
  return byStore.get(store)?.(terms) ?? 0;
}
