import { parsePeriod, type Period } from '../../kernel/index.js';
import type { StoreProduct } from '../contract.js';

export const DEFAULT_TRIAL = 'P1W';
export const DEFAULT_GRACE = 'P7D';

const MONTH: Period = { years: 0, months: 1, weeks: 0, days: 0, hours: 0, minutes: 0, seconds: 0 };
const MONTH_S = 30 * 86_400;

/** In accelerated time, a month lasts five minutes. */
const ACCELERATED_MONTH_S = 300;
const SHORTEST_PERIOD_S = 300;
const SHORTEST_SPAN_S = 60;

type Accelerated = Pick<StoreProduct, 'accelerated'>;

/** Defaults to a month. */
export function paidPeriod({ duration, accelerated }: Accelerated & Pick<StoreProduct, 'duration'>): Period {
  return lasting(duration ?? 'P1M', accelerated, SHORTEST_PERIOD_S);
}

/** Defaults to a week. */
export function trialPeriod({
  trialDuration,
  accelerated,
}: Accelerated & Pick<StoreProduct, 'trialDuration'>): Period {
  return lasting(trialDuration ?? DEFAULT_TRIAL, accelerated, SHORTEST_SPAN_S);
}

/** `graceDuration` is ISO 8601. */
export function gracePeriod({ accelerated }: Accelerated, graceDuration: string): Period {
  return lasting(graceDuration, accelerated, SHORTEST_SPAN_S);
}

function lasting(duration: string, accelerated = false, shortestS: number): Period {
  const period = parsePeriod(duration) ?? MONTH;
  if (!accelerated) return period;
  const { years, months, weeks, days, hours, minutes, seconds } = period;
  const rest = (weeks * 7 + days) * 86_400 + hours * 3600 + minutes * 60 + seconds;
  const inMonths = years * 12 + months + rest / MONTH_S;
  return {
    ...MONTH,
    months: 0,
    seconds: Math.max(shortestS, Math.round(inMonths * ACCELERATED_MONTH_S)),
  };
}
