import type { Environment } from '../../engine/index.js';

export interface InAppPurchaseKey {
  /** PKCS#8, P-256. */
  privateKeyPem: string;
  keyId: string;
  issuerId: string;
}

export interface AppleApp {
  store: 'app_store' | 'mac_app_store';
  bundleId: string;
  /** The app's number in the App Store; null if unknown, in which case it is not compared. */
  appAppleId: number | null;
  key: InAppPurchaseKey | null;
  /** PEM of the certificate that StoreKit testing in Xcode signs with; null if none is accepted. */
  xcodeCertificate: string | null;
  /** Accept unsigned sandbox receipts. */
  allowUnsignedReceipts: boolean;
}

/** Apple's names of our environments. TestFlight and App Review use the sandbox. */
export type AppleEnvironment = 'Production' | 'Sandbox';

export function environmentOf(apple: AppleEnvironment | 'Xcode'): Environment {
  return apple === 'Production' ? 'production' : 'sandbox';
}

export function appleEnvironmentOf(environment: Environment): AppleEnvironment {
  return environment === 'production' ? 'Production' : 'Sandbox';
}
