import type { ChartPeriod } from './periods.js';
import type { Dims, DimsDictionary, PurchaseDims } from './dims.js';
import type { Run } from './runs.js';

export interface PeriodPlace {
  run: Run | null;
  /** 1 for the first paid period of a run; 0 for trials and for periods without access. */
  cycle: number;
  isFirstPayment: boolean;
  customerCountry: string;
}

const MANY_CYCLES = 5;

function cycleOf({ opening, access }: ChartPeriod, cycle: number): string {
  if (opening.isOneTime) return 'non_subscription';
  if (access === 'trial') return 'trial';
  if (cycle === 0) return '';
  return cycle >= MANY_CYCLES ? `${MANY_CYCLES}+` : String(cycle);
}

function offerTypeOf({ opening, offer }: ChartPeriod): string {
  if (opening.periodType === 'trial') {
    // A code for free time still counts as a code.
    const isTrial = !offer || offer.type === 'introductory_offer' || offer.type === 'unspecified_offer';
    return isTrial ? 'free_trial' : offer.type;
  }
  return offer?.type ?? (opening.periodType === 'intro' ? 'introductory_offer' : 'no_offer');
}

export interface PeriodDims {
  purchase: Dims;
  sale: Dims;
}

export function dimsOf(dictionary: DimsDictionary, period: ChartPeriod, place: PeriodPlace): PeriodDims {
  const { opening } = period;
  const values: PurchaseDims = {
    app_id: opening.appId ?? '',
    store: opening.store,
    product_id: period.productId,
    product_duration: period.duration,
    channel: opening.isOneTime ? 'Non-subscription' : 'Subscriptions',
    country: opening.country ?? place.customerCountry,
    offering_identifier: period.offering,
    subscription_type: place.run?.type ?? '',
    transaction_type: place.isFirstPayment ? 'New' : 'Renewal',
    offer_type: offerTypeOf(period),
    offer: period.offer?.id ? `${period.productId}:${period.offer.id}` : '',
    renewal_cycle: cycleOf(period, place.cycle),
    placement: period.shownIn.placement,
    targeting_rule: period.shownIn.targetingRule,
    experiment: period.shownIn.experiment,
    experiment_variant: period.shownIn.experimentVariant,
  };
  return { purchase: dictionary.purchase(values), sale: dictionary.sale(values) };
}
