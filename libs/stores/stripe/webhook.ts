import type Stripe from 'stripe';
import type { Environment } from '../../engine/index.js';
import { isJsonObject } from '../../kernel/index.js';
import { NotGenuine } from '../apple/not-genuine.js';
import { externalTokenIds } from '../external-token-ids.js';
import { idOf, subscriptionOf } from './stripe-api.js';
import { stripeLibrary } from './stripe-library.js';

/** A Stripe event with a verified signature. */
export interface StripeNotification {
  id: string;
  type: string;
  environment: Environment;
  sentAtMs: number;
  /** Key of its subscription or payment; null if it has none. */
  key: string | null;
}

const TOLERANCE_S = 300;
const TIMESTAMP = /(?:^|,)t=(\d+)(?:,|$)/;

function keyOf({ type, data }: Stripe.Event): string | null {
  const object = data.object as { object?: string };
  if (type.startsWith('customer.subscription.')) return (object as Stripe.Subscription).id;
  if (object.object === 'subscription_schedule') return keyOfSchedule(object as Stripe.SubscriptionSchedule);
  if (object.object === 'invoice') return subscriptionOf(object as Stripe.Invoice);
  if (object.object === 'checkout.session') return keyOfSession(object as Stripe.Checkout.Session);
  if (object.object === 'charge') {
    const { id, payment_intent: intent } = object as Stripe.Charge;
    return idOf(intent) ?? id;
  }
  if (object.object !== 'refund' && object.object !== 'dispute') return null;
  const { payment_intent: intent, charge } = object as Stripe.Refund | Stripe.Dispute;
  return idOf(intent) ?? idOf(charge);
}

function keyOfSchedule({ subscription, released_subscription: released }: Stripe.SubscriptionSchedule) {
  return idOf(subscription) ?? released;
}

function keyOfSession(session: Stripe.Checkout.Session): string | null {
  const { id, status, subscription, payment_intent: intent, metadata } = session;
  // Stripe does not copy a session's metadata to what it sold.
  if (status === 'complete' && externalTokenIds([metadata]).length > 0) return id;
  return status === 'complete' ? (idOf(subscription) ?? idOf(intent) ?? id) : null;
}

async function parsed(body: Buffer, signature: string, secret: string, nowMs: number): Promise<Stripe.Event> {
  const signedAtS = Number(TIMESTAMP.exec(signature)?.[1] ?? NaN);
  // The library only checks the age, not a time in the future.
  if (!(signedAtS * 1_000 <= nowMs + TOLERANCE_S * 1_000)) {
    throw new NotGenuine('The timestamp of the signature is missing or in the future.');
  }
  const { webhooks, errors } = await stripeLibrary();
  try {
    return webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, nowMs);
  } catch (error) {
    if (error instanceof errors.StripeSignatureVerificationError) {
      throw new NotGenuine(
        'The signature does not fit the body and the webhook secret of the app, or is too old.',
      );
    }
    throw new NotGenuine('The body is not a Stripe event.');
  }
}

/** The event only shows what it is about; the rest of its content is ignored. @throws NotGenuine */
export async function readStripeEvent(
  body: Buffer,
  signature: string,
  { secret, accountId, nowMs }: { secret: string; accountId: string | null; nowMs: number },
): Promise<StripeNotification> {
  const event = await parsed(body, signature, secret, nowMs);
  if (typeof event.id !== 'string' || typeof event.type !== 'string' || !isJsonObject(event.data?.object)) {
    throw new NotGenuine('The body is not a Stripe event.');
  }
  if (event.account !== undefined && accountId !== null && event.account !== accountId) {
    throw new NotGenuine('The event belongs to another Stripe account.');
  }
  return {
    id: event.id,
    type: event.type,
    environment: event.livemode ? 'production' : 'sandbox',
    sentAtMs: event.created * 1_000,
    key: keyOf(event),
  };
}
