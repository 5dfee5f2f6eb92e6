/** What a store keeps, in basis points of the gross price, where nothing better is known. */
const defaultBps: Readonly<Record<string, number>> = {
  app_store: 3000,
  mac_app_store: 3000,
  play_store: 1500,
  amazon: 3000,
};

/** Default commission of a store in basis points (10,000 = all of it); 0 for stores that keep nothing. */
export function commissionBps(store: string): number {
  return defaultBps[store] ?? 0;
}
