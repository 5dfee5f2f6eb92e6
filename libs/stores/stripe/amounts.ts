const MICROS = 1_000_000;

/** Currencies that Stripe counts in whole units. Stripe treats ISK and UGX as if they had cents. */
const zeroDecimal = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const threeDecimal = new Set('bhd jod kwd omr tnd'.split(' '));

/** Converts from Stripe's smallest currency unit. */
export function microsOf(amount: number, currency: string): number {
  const code = currency.toLowerCase();
  const units = zeroDecimal.has(code) ? 1 : threeDecimal.has(code) ? 1_000 : 100;
  return amount * (MICROS / units);
}

export const msOf = (seconds: number): number => seconds * 1_000;
