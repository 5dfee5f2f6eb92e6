import type { AppleVerifier } from './apple-verifier.js';
import type { ReceiptReader } from './receipt-reader.js';
import type { AppleApiOptions } from './server-api.client.js';

/** What all apps of the App Store share in this process. */
export interface AppleServices {
  verifier: AppleVerifier;
  receipts: ReceiptReader;
  api: AppleApiOptions;
  /** How long a call of ours may take Apple in all, in ms. */
  deadlineMs: number;
}
