import type { AppleVerifier } from './apple-verifier.js';
import type { ReceiptReader } from './receipt-reader.js';
import type { AppleApiOptions } from './server-api.client.js';

export interface AppleServices {
  verifier: AppleVerifier;
  receipts: ReceiptReader;
  api: AppleApiOptions;
  /** Limit for all calls of one request combined, in ms. */
  deadlineMs: number;
}
