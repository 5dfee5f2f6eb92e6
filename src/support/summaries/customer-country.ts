export interface CustomerCountry {
  country: string | null;
  country_source: 'device' | 'purchase' | null;
}

/** The country of a customer: the one a device sent last; without one, that of the newest purchase. */
export function presentCountry(
  ofDevice: string | null,
  ofPurchase: string | null | undefined,
): CustomerCountry {
  const country = ofDevice ?? ofPurchase ?? null;
  if (country === null) return { country: null, country_source: null };
  return { country, country_source: ofDevice === null ? 'purchase' : 'device' };
}
