import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from '../apple/not-genuine.js';
import type { UnknownValue } from '../contract.js';
import { unknownOf } from '../unknown-values.js';
import { isTransactionId, transactionKey } from './transaction-id.js';
import { lowerCased } from './transaction.js';
import { rokuFlag, rokuMicros, rokuText, rokuTime } from './values.js';

/** A push notification of Roku Pay. It only hints at what to request from Roku. */
export interface RokuNotification {
  /** Sent back in the body of the 200 response. */
  responseKey: string;
  type: string;
  transactionId: string;
  originalId: string | null;
  /** Key of the purchase or subscription. */
  subscriptionKey: string;
  channelId: string | null;
  customerId: string | null;
  isFreeTrial: boolean;
  totalMicros: number | null;
  atMs: number | null;
  unknown: UnknownValue[];
}

/** Event names with another spelling. */
const spellings: Record<string, string> = {
  cancelationofferinitiated: 'CancellationOfferInitiated',
  cancellationofferintiated: 'CancellationOfferInitiated',
  cancellationofferinitated: 'CancellationOfferInitiated',
  cancelationofferended: 'CancellationOfferEnded',
};
const types = [
  'Sale',
  'GraceInitiated',
  'GraceRecovered',
  'OnHoldInitiated',
  'OnHoldRecovered',
  'Cancellation',
  'Refund',
  'Credit',
  'Resubscribe',
  'UpgradeSale',
  'UpgradeCancellation',
  'DowngradeSale',
  'DowngradeCancellation',
  'Chargeback',
  'ChargebackReversed',
  'SecondChargeback',
  'CancellationOfferInitiated',
  'CancellationOfferEnded',
];
const knownTypes: ReadonlySet<unknown> = new Set(types);
const byName = new Map(types.map((type) => [type.toLowerCase(), type]));
const MAX_TYPE = 100;
const MAX_RESPONSE_KEY = 1_000;

function typeOf(value: unknown): string {
  const text = rokuText(value) ?? '';
  const name = text.replaceAll(/[\s_-]/g, '').toLowerCase();
  return byName.get(name) ?? spellings[name] ?? text.slice(0, MAX_TYPE);
}

/** @throws NotGenuine if the text is not a notification */
export function readRokuMessage(text: string): RokuNotification {
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    json = null;
  }
  const fields = isJsonObject(json) ? lowerCased(json) : {};
  const responseKey = rokuText(fields.responsekey);
  const transactionId = rokuText(fields.transactionid);
  const original = rokuText(fields.originaltransactionid);
  const type = typeOf(fields.transactiontype);
  const isComplete = responseKey !== null && responseKey.length <= MAX_RESPONSE_KEY && type !== '';
  const ids = [transactionId, original].filter((id) => id !== null);
  if (!isComplete || transactionId === null || !ids.every(isTransactionId)) {
    throw new NotGenuine('The message is not a push notification of Roku Pay.');
  }
  return {
    responseKey,
    type,
    transactionId,
    originalId: original,
    subscriptionKey: transactionKey(original ?? transactionId),
    channelId: rokuText(fields.channelid),
    customerId: rokuText(fields.customerid) ?? rokuText(fields.rokucustomerid),
    isFreeTrial: rokuFlag(fields.isfreetrial),
    totalMicros: rokuMicros(fields.total) ?? rokuMicros(fields.price),
    atMs: rokuTime(fields.eventdate) ?? rokuTime(fields.creationtime) ?? rokuTime(fields.purchasedate),
    unknown: unknownOf('transactionType', type, knownTypes),
  };
}
