import type { X509Certificate } from 'node:crypto';
import type { Installation } from '../contract.js';
import type { AppleApp } from './apple-app.js';
import { looksLikeJws, readPayload } from './compact-jws.js';
import { type AppReceipt, readAppReceipt } from './legacy-receipt/app-receipt.js';
import { appleChain, assertValidAt, isSignedByXcode } from './legacy-receipt/receipt-signature.js';
import { readSignedContainer } from './legacy-receipt/signed-container.js';
import { NotGenuine } from './not-genuine.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';
import {
  isXcodePayload,
  noInstallation,
  readXcodeReceipt,
  xcodeRenewal,
  type XcodeReceipt,
  xcodeTransaction,
} from './xcode.js';

/** A token posted by an app, as far as it can be verified without Apple's servers and without a cache. */
export type ReadToken =
  /** Has not been verified yet. */
  | { form: 'signed_transaction'; jws: string }
  /** Purchases of StoreKit testing in Xcode, which the app accepts. */
  | {
      form: 'xcode';
      transactions: SignedTransaction[];
      renewals: { latest: SignedTransaction; renewal: SignedRenewal }[];
      /** Unsigned data, reported by the developer's own machine. */
      installation: Installation;
    }
  /** An app receipt signed by Apple or, for Xcode, by the developer's machine. */
  | { form: 'app_receipt'; receipt: AppReceipt };

export type TokenApp = Pick<AppleApp, 'bundleId' | 'xcodeCertificate' | 'allowUnsignedReceipts'>;

/** Genuine receipts are smaller. */
const MAX_LENGTH = 5 * 1024 * 1024;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const SEQUENCE = 0x30;

export const XCODE = 'Xcode';

function unknownForm(): NotGenuine {
  return new NotGenuine('The token is neither a receipt nor a transaction of the App Store.');
}

function xcode(receipt: XcodeReceipt, app: TokenApp, nowMs: number): ReadToken {
  return {
    form: 'xcode',
    installation: receipt.installation,
    transactions: receipt.transactions.map((jws) => xcodeTransaction(app, jws, nowMs)),
    renewals: receipt.renewals.map(({ transaction, renewalInfo }) => ({
      latest: xcodeTransaction(app, transaction, nowMs),
      renewal: xcodeRenewal(app, renewalInfo, nowMs),
    })),
  };
}

/** Reads the receipt only after verifying its signature, unless the developer allows unsigned receipts. */
function appReceipt(bytes: Buffer, app: TokenApp, roots: X509Certificate[]): AppReceipt {
  const container = readSignedContainer(bytes);
  const chain = appleChain(container, roots);
  if (chain) {
    const receipt = readAppReceipt(container.content);
    assertValidAt(chain, receipt.createdAtMs);
    if (receipt.environment === XCODE) throw new NotGenuine('The App Store does not sign Xcode receipts.');
    return receipt;
  }
  const { xcodeCertificate, allowUnsignedReceipts } = app;
  const isTrusted = xcodeCertificate !== null && isSignedByXcode(container, xcodeCertificate);
  const receipt = isTrusted || allowUnsignedReceipts ? readAppReceipt(container.content) : null;
  if (receipt?.environment !== XCODE) throw new NotGenuine("The receipt's signature is not Apple's.");
  return receipt;
}

/** @throws NotGenuine if the token is not an App Store token */
export function readToken(token: string, app: TokenApp, roots: X509Certificate[], nowMs: number): ReadToken {
  const text = token.trim();
  if (text.length > MAX_LENGTH) throw unknownForm();
  if (looksLikeJws(text)) {
    if (!isXcodePayload(readPayload(text).payload)) return { form: 'signed_transaction', jws: text };
    return xcode({ transactions: [text], renewals: [], installation: noInstallation }, app, nowMs);
  }
  const packed = text.replace(/\s+/g, '');
  if (!BASE64.test(packed)) throw unknownForm();
  const bytes = Buffer.from(packed, 'base64');
  if (bytes[0] === SEQUENCE) return { form: 'app_receipt', receipt: appReceipt(bytes, app, roots) };
  const receipt = bytes[0] === '{'.charCodeAt(0) ? readXcodeReceipt(packed) : null;
  // Property lists, the format before app receipts, are rejected too: no SDK sends them, and they cannot be verified.
  if (!receipt) throw unknownForm();
  return xcode(receipt, app, nowMs);
}
