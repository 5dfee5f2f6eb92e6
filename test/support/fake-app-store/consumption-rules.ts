import type { ApiAnswer } from './fake-server-api.js';

type Payload = Record<string, unknown>;

const deliveryStatuses: readonly unknown[] = [
  'DELIVERED',
  'UNDELIVERED_QUALITY_ISSUE',
  'UNDELIVERED_WRONG_ITEM',
  'UNDELIVERED_SERVER_OUTAGE',
  'UNDELIVERED_OTHER',
];
const preferences: readonly unknown[] = [undefined, 'GRANT_FULL', 'GRANT_PRORATED', 'DECLINE'];

/** The fields of version 1, with the highest number of each. All are required. */
const formerFields = {
  accountTenure: 7,
  consumptionStatus: 3,
  deliveryStatus: 5,
  lifetimeDollarsPurchased: 7,
  lifetimeDollarsRefunded: 7,
  platform: 2,
  playTime: 7,
  refundPreference: 3,
  userStatus: 4,
};

const refused = (errorCode: number, errorMessage: string): ApiAnswer => ({
  status: 400,
  body: { errorCode, errorMessage },
});

function isWithin(value: unknown, max: number): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

function formerProblem(body: Payload): ApiAnswer | null {
  for (const [field, max] of Object.entries(formerFields)) {
    if (!isWithin(body[field], max)) return refused(4000036, `Invalid ${field}.`);
  }
  return typeof body.appAccountToken === 'string' ? null : refused(4000033, 'Invalid appAccountToken.');
}

function problem(body: Payload, isRenewing: boolean): ApiAnswer | null {
  const { consumptionPercentage: share, deliveryStatus, refundPreference } = body;
  if (!deliveryStatuses.includes(deliveryStatus)) return refused(4000036, 'Invalid deliveryStatus.');
  if (share !== undefined && (isRenewing || !isWithin(share, 100_000)))
    return refused(4000228, 'Invalid consumptionPercentage.');
  if (deliveryStatus !== 'DELIVERED' && (share ?? 0) !== 0)
    return refused(4000228, 'Invalid consumptionPercentage.');
  if (!preferences.includes(refundPreference)) return refused(4000229, 'Invalid refundPreference.');
  const isPart = Number(share) > 0 && Number(share) < 100_000;
  if (refundPreference === 'GRANT_PRORATED' && !isRenewing && !isPart)
    return refused(4000229, 'Invalid refundPreference.');
  return null;
}

/** Validates an answer about a refund request of a transaction by Apple's rules. */
export function consumptionAnswer(transaction: Payload, isFormer: boolean, body: Payload): ApiAnswer {
  const { inAppOwnershipType, advancedCommerceInfo, type } = transaction;
  if (inAppOwnershipType === 'ASSIGNED') return refused(4000227, 'Assigned transaction.');
  if (inAppOwnershipType === 'FAMILY_SHARED') return refused(4000185, 'Family transaction.');
  if (isFormer !== (advancedCommerceInfo !== undefined)) return refused(4000000, 'Wrong version.');
  if (body.customerConsented !== true) return refused(4000035, 'Invalid customerConsented.');
  if (typeof body.sampleContentProvided !== 'boolean')
    return refused(4000041, 'Invalid sampleContentProvided.');
  const isRenewing = type === 'Auto-Renewable Subscription';
  return (isFormer ? formerProblem(body) : problem(body, isRenewing)) ?? { status: 202 };
}
