import { shareMicros } from '../money/index.js';
import { type DestinationEvent, isGrant } from './event.js';

export type RevenueMode = 'gross' | 'after_commission' | 'after_commission_and_taxes';

const MICROS = 1_000_000;
const ALL_BPS = 10_000;

const toBps = (share: number | null | undefined): number => Math.round((share ?? 0) * ALL_BPS);

function keptBps({ commission_percentage, tax_percentage }: DestinationEvent, mode: RevenueMode): number {
  if (mode === 'gross') return ALL_BPS;
  const taxes = mode === 'after_commission_and_taxes' ? toBps(tax_percentage) : 0;
  return ALL_BPS - toBps(commission_percentage) - taxes;
}

/** Trials and access that was not paid for have no revenue, whatever the price; refunds of them do. */
function isFree(event: DestinationEvent, price: number | null): boolean {
  if (isGrant(event) || event.is_family_share === true) return true;
  return event.period_type === 'TRIAL' && !(price !== null && price < 0);
}

/** In units of the price's currency, with up to six decimals: tools that sum shares must not sum rounding. */
function keptOf(event: DestinationEvent, price: number | null | undefined, mode: RevenueMode): number | null {
  if (price === undefined || isFree(event, price)) return 0;
  if (price === null) return null;
  return shareMicros(Math.round(price * MICROS), keptBps(event, mode)) / MICROS;
}

/** Revenue in USD and in the currency of the purchase: 0 for events without money, null for unknown prices. */
export function revenueOf(
  event: DestinationEvent,
  mode: RevenueMode,
): { revenue: number | null; purchasedRevenue: number | null } {
  return {
    revenue: keptOf(event, event.price, mode),
    purchasedRevenue: keptOf(event, event.price_in_purchased_currency, mode),
  };
}
