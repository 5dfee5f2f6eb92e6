const HOUR = 3_600_000;

export const msOfPeriod = { '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR };

/** Length of a period that ends now. */
export type Period = keyof typeof msOfPeriod;

export const periods = Object.keys(msOfPeriod) as Period[];

export const periodLabels: Record<Period, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
