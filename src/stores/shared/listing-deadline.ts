/** Time for reading all pages of a catalog. Proxies often close a request after 60 seconds. */
export const LISTING_DEADLINE_MS = 40_000;
