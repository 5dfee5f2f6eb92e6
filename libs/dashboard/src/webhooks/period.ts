const HOUR = 3_600_000;

export const msOfPeriod = { '1h': HOUR, '24h': 24 * HOUR, '7d': 7 * 24 * HOUR, '30d': 30 * 24 * HOUR };

/** Length of a period that ends now. */
export type Period = keyof typeof msOfPeriod;

export const periods = Object.keys(msOfPeriod) as Period[];
