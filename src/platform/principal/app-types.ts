/** Prefixes of public keys. An app belongs to one store, and the prefix tells SDKs which one. */
export const publicKeyPrefixes = {
  app_store: 'appl_',
  mac_app_store: 'mac_',
  play_store: 'goog_',
  amazon: 'amzn_',
  stripe: 'strp_',
  rc_billing: 'rcb_',
  roku: 'roku_',
  paddle: 'pdl_',
  test_store: 'test_',
} as const;

export type AppType = keyof typeof publicKeyPrefixes;

export const appTypes = Object.keys(publicKeyPrefixes) as AppType[];

/** Stores whose purchases are made outside an app. */
const WEB_STORES: ReadonlySet<string> = new Set(['stripe', 'paddle', 'rc_billing']);

export function isWebStore(store: string): boolean {
  return WEB_STORES.has(store);
}
