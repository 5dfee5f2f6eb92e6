import type { Order } from '../../../libs/stores/google/play-resources.js';

export interface FakePlayProduct {
  id: string;
  basePlanId?: string;
  /** Micros of USD. */
  priceMicros: number;
  periodMs?: number;
}

/** Time as Google writes it. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}

/** Micros of what Google writes. */
export function microsOf({ units = '0', nanos = 0 }: NonNullable<Order['total']> = {}): number {
  return Number(units) * 1_000_000 + nanos / 1_000;
}

/** Micros as Google writes them: zero parts are left out. */
export function money(micros: number): NonNullable<Order['total']> {
  const units = Math.trunc(micros / 1_000_000);
  const nanos = (micros % 1_000_000) * 1_000;
  return {
    currencyCode: 'USD',
    ...(units !== 0 && { units: String(units) }),
    ...(nanos !== 0 && { nanos }),
  };
}
