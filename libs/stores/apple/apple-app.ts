import type { Environment } from '../../engine/index.js';

/** The in-app purchase key of App Store Connect. */
export interface InAppPurchaseKey {
  /** PKCS#8, P-256. */
  privateKeyPem: string;
  keyId: string;
  issuerId: string;
}

/** An app as the App Store knows it, and what its developer allows. */
export interface AppleApp {
  store: 'app_store' | 'mac_app_store';
  bundleId: string;
  /** Number in the App Store; null: not known, and not compared. */
  appAppleId: number | null;
  key: InAppPurchaseKey | null;
  /** PEM of the certificate that StoreKit testing in Xcode signs with; null: nothing of it is accepted. */
  xcodeCertificate: string | null;
  /** Take sandbox receipts whose content nobody vouches for. */
  allowUnsignedReceipts: boolean;
}

/** Apple's words for our environments. TestFlight and App Review are its sandbox. */
export type AppleEnvironment = 'Production' | 'Sandbox';

export function environmentOf(apple: AppleEnvironment | 'Xcode'): Environment {
  return apple === 'Production' ? 'production' : 'sandbox';
}

export function appleEnvironmentOf(environment: Environment): AppleEnvironment {
  return environment === 'production' ? 'Production' : 'Sandbox';
}
