import { createPublicKey, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { isJsonObject, isStoreTime, parseJson } from '../../kernel/index.js';
import type { Installation } from '../contract.js';
import type { AppleApp } from './apple-app.js';
import { readJws } from './compact-jws.js';
import { NotGenuine } from './not-genuine.js';
import { assertRenewal, assertTransaction } from './payload-rules.js';
import type { SignedRenewal, SignedTransaction } from './signed-data.js';

type XcodeApp = Pick<AppleApp, 'bundleId' | 'xcodeCertificate' | 'allowUnsignedReceipts'>;

/** A receipt of StoreKit testing in Xcode, as the SDK packs it. */
export interface XcodeReceipt {
  transactions: string[];
  /** The latest transaction of each subscription, and its renewal information. */
  renewals: { transaction: string; renewalInfo: string }[];
  installation: Installation;
}

export const noInstallation: Installation = { originalApplicationVersion: null, originalPurchaseAtMs: null };

const MAX_VERSION = 255;

/** The SDK omits the date if it reads the app's facts another way. */
function installationOf(receipt: Record<string, unknown>): Installation {
  const { original_application_version: version, original_purchase_date: date } = receipt;
  const ms = typeof date === 'string' ? Date.parse(date) : NaN;
  const isVersion = typeof version === 'string' && version !== '' && version.length <= MAX_VERSION;
  return {
    originalApplicationVersion: isVersion ? version : null,
    originalPurchaseAtMs: isStoreTime(ms) ? ms : null,
  };
}

/** Whether StoreKit testing, not the App Store, created the payload, whatever else it claims. */
export function isXcodePayload({ environment }: Record<string, unknown>): boolean {
  return environment === 'Xcode';
}

function certificateOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new NotGenuine('The Xcode certificate of the app cannot be read.');
  }
}

/** Accepts only the certificate that the developer uploaded. @throws NotGenuine */
function assertSigned(jws: string, header: Record<string, unknown>, app: XcodeApp): void {
  if (app.xcodeCertificate === null) {
    if (app.allowUnsignedReceipts) return;
    throw new NotGenuine('Purchases of StoreKit testing in Xcode need the Xcode certificate of the app.');
  }
  const certificate = certificateOf(app.xcodeCertificate);
  const chain: unknown = header.x5c;
  const [own] = Array.isArray(chain) && chain.length === 1 ? (chain as unknown[]) : [];
  if (typeof own !== 'string' || !Buffer.from(own, 'base64').equals(certificate.raw)) {
    throw new NotGenuine("The data is not signed with the app's Xcode certificate.");
  }
  const end = jws.lastIndexOf('.');
  const signature = Buffer.from(jws.slice(end + 1), 'base64url');
  const key: KeyObject = createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' }));
  const isGenuine =
    key.asymmetricKeyType === 'ec' &&
    verify('sha256', Buffer.from(jws.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature);
  if (!isGenuine) throw new NotGenuine("The signature is not that of the app's Xcode certificate.");
}

/** Dates from Xcode have fractions of milliseconds. */
function rounded(payload: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('Date') ? Math.round(value) : value,
    ]),
  );
}

function payloadOf(jws: string, app: XcodeApp): Record<string, unknown> {
  const { header, payload } = readJws(jws);
  if (!isXcodePayload(payload))
    throw new NotGenuine('The data does not come from StoreKit testing in Xcode.');
  assertSigned(jws, header, app);
  return rounded(payload);
}

/** @throws NotGenuine, also if the app has no Xcode certificate */
export function xcodeTransaction(app: XcodeApp, jws: string, nowMs: number): SignedTransaction {
  const payload = payloadOf(jws, app);
  if (payload.bundleId !== app.bundleId) throw new NotGenuine('The data is signed for another app.');
  assertTransaction(payload, nowMs);
  return payload;
}

export function xcodeRenewal(app: XcodeApp, jws: string, nowMs: number): SignedRenewal {
  const payload = payloadOf(jws, app);
  assertRenewal(payload, nowMs);
  return payload;
}

/** Each transaction costs a signature check; a developer's machine has a few dozen. */
const MAX_TRANSACTIONS = 1_000;

function strings(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  return values.filter((value) => typeof value === 'string');
}

/** Null if the text is not a StoreKit testing receipt. */
export function readXcodeReceipt(text: string): XcodeReceipt | null {
  let receipt: unknown;
  try {
    receipt = parseJson(Buffer.from(text, 'base64'));
  } catch {
    return null;
  }
  if (!isJsonObject(receipt) || !Array.isArray(receipt.transactions)) return null;
  if (receipt.transactions.length > MAX_TRANSACTIONS) return null;
  const groups = isJsonObject(receipt.subscription_status) ? Object.values(receipt.subscription_status) : [];
  const renewals = groups.flatMap((group) => (Array.isArray(group) ? (group as unknown[]) : []));
  if (renewals.length > MAX_TRANSACTIONS) return null;
  return {
    transactions: strings(receipt.transactions),
    installation: installationOf(receipt),
    renewals: renewals.flatMap((item) => {
      if (!isJsonObject(item)) return [];
      const { transaction, renewal_info: renewalInfo } = item;
      return typeof transaction === 'string' && typeof renewalInfo === 'string'
        ? [{ transaction, renewalInfo }]
        : [];
    }),
  };
}
