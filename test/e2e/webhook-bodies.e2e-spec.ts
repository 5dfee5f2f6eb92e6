import { DeliveryDispatcherService } from '../../src/webhooks/deliveries/delivery-dispatcher.service.js';
import { webhookEventTypes } from '../../src/webhooks/events/event-types.js';
import type { Json } from '../support/api-client.js';
import { type AppStoreWorld, startAppStoreWorld } from '../support/arrange-app-store.js';
import { fakeProducts } from '../support/fake-app-store/fake-app-store.js';
import type { FakeSubscription } from '../support/fake-app-store/fake-subscription.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const DAY_MS = 86_400_000;
const { monthly, yearly, coins } = fakeProducts;
const uuid = /^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/;

/** What is sent for each type of event that this product makes of a store's doings, as a backend gets it. */
describe('the body of a webhook', () => {
  let world: AppStoreWorld;
  let receiver: Receiver;
  let people = 0;
  const seen = new Set<string>();

  beforeAll(async () => {
    world = await startAppStoreWorld();
    receiver = await startReceiver();
    const made = await world.backend.post(`${world.path}/integrations/webhooks`, {
      name: 'Everything',
      url: receiver.url,
      event_types: webhookEventTypes,
    });
    expect(made.status).toBe(201);
  });

  beforeEach(() => world.clock.advanceMs(1));

  afterAll(async () => {
    await receiver.close();
    await world.close();
  });

  /** The events that have come since the last call, in the order of the customer's history. */
  async function received(): Promise<Json[]> {
    const nowMs = world.clock.nowMs();
    // Events of one change are a millisecond apart, and due when they happened.
    world.clock.advanceMs(5);
    await world.server.app.get(DeliveryDispatcherService).drain();
    const bodies = receiver.requests.splice(0).map(({ body }) => JSON.parse(body));
    for (const { api_version: version, event } of bodies) {
      expect(version).toBe('1.0');
      expect(event.event_timestamp_ms - nowMs).toBeGreaterThanOrEqual(0);
      expect(event.event_timestamp_ms - nowMs).toBeLessThan(5);
      for (const ids of [event.aliases, event.transferred_from]) ids?.sort();
      seen.add(event.type);
    }
    return bodies.map(({ event }) => event).sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  }

  const person = (): string => `person-${++people}`;
  const moveTo = (ms: number): void => world.clock.advanceMs(ms - world.clock.nowMs());

  /** Fields with which every event starts. */
  const head = (type: string, sequence: number): Json => ({
    id: expect.stringMatching(uuid),
    type,
    event_timestamp_ms: expect.any(Number),
    sequence,
    app_id: world.appId,
  });

  const customer = (id: string, aliases = [id], original = id): Json => ({
    app_user_id: id,
    original_app_user_id: original,
    aliases: aliases.toSorted(),
    subscriber_attributes: {},
  });

  /** All the fields of an event about a purchase in the App Store, free of charge unless `fields` say otherwise. */
  const purchase = (type: string, sequence: number, { latest }: FakeSubscription, fields: Json): Json => ({
    ...head(type, sequence),
    product_id: 'pro_monthly',
    entitlement_id: null,
    entitlement_ids: ['pro'],
    period_type: 'NORMAL',
    purchased_at_ms: latest.purchaseDate,
    expiration_at_ms: latest.expiresDate,
    environment: 'PRODUCTION',
    presented_offering_id: null,
    transaction_id: latest.transactionId,
    original_transaction_id: latest.originalTransactionId,
    is_family_share: false,
    country_code: 'US',
    currency: 'USD',
    price: 0,
    price_in_purchased_currency: 0,
    store: 'APP_STORE',
    takehome_percentage: 0.7,
    tax_percentage: 0,
    commission_percentage: 0.3,
    offer_code: null,
    metadata: null,
    ...fields,
  });
  const paid = { price: 9.99, price_in_purchased_currency: 9.99, renewal_number: 1 };

  it('follows a subscription from the purchase through changes of mind to the next period', async () => {
    const id = person();
    const startMs = world.clock.nowMs();
    const bought = world.store.subscribe(world.store.account(), monthly);
    const attributes = { plan: { value: 'gold', updated_at_ms: startMs } };
    await world.post(id, bought.signed(), {
      product_id: 'pro_monthly',
      presented_offering_identifier: 'sale',
      attributes,
    });
    const who = { ...customer(id), subscriber_attributes: attributes, presented_offering_id: 'sale' };
    const about = (type: string, sequence: number, fields: Json = {}): Json =>
      purchase(type, sequence, bought, { ...who, ...fields });
    expect(await received()).toEqual([about('INITIAL_PURCHASE', 1, paid)]);

    moveTo(startMs + 10 * DAY_MS);
    await world.notify(bought.cancel());
    expect(await received()).toEqual([about('CANCELLATION', 2, { cancel_reason: 'UNSUBSCRIBE' })]);
    await world.notify(bought.uncancel());
    expect(await received()).toEqual([about('UNCANCELLATION', 3)]);
    await world.notify(bought.extend(14));
    expect(bought.latest.expiresDate).toBe(startMs + 44 * DAY_MS);
    expect(await received()).toEqual([about('SUBSCRIPTION_EXTENDED', 4)]);

    moveTo(startMs + 44 * DAY_MS);
    await world.notify(bought.renew());
    const renewal = { ...paid, renewal_number: 2, is_trial_conversion: false };
    expect(await received()).toEqual([about('RENEWAL', 5, renewal)]);
  });

  it('tells of failed charges, of the grace period, and of the end', async () => {
    const id = person();
    const startMs = world.clock.nowMs();
    const bought = world.store.subscribe(world.store.account(), monthly);
    await world.post(id, bought.signed());
    await received();
    moveTo(startMs + 30 * DAY_MS);
    await world.notify(bought.failToRenew(6));
    const about = (type: string, sequence: number, fields: Json): Json =>
      purchase(type, sequence, bought, { ...customer(id), ...fields });
    const graceEndMs = startMs + 36 * DAY_MS;
    expect(await received()).toEqual([
      about('BILLING_ISSUE', 2, { grace_period_expiration_at_ms: graceEndMs }),
      about('CANCELLATION', 3, { cancel_reason: 'BILLING_ERROR' }),
    ]);
    moveTo(graceEndMs + 60_000);
    await world.notify(bought.expire('BILLING_RETRY'));
    const [end, ...more] = await received();
    expect(more).toEqual([]);
    expect(end).toEqual(
      about('EXPIRATION', 4, { expiration_reason: 'BILLING_ERROR', expiration_at_ms: end?.expiration_at_ms }),
    );
    expect(end?.expiration_at_ms).toBeLessThanOrEqual(world.clock.nowMs());
    expect(end?.expiration_at_ms).toBeGreaterThanOrEqual(startMs + 30 * DAY_MS);
  });

  it('has no price for a trial, a price for its conversion, and a negative one for a refund until reversed', async () => {
    const id = person();
    const startMs = world.clock.nowMs();
    const account = world.store.account('Production', { storefront: 'DEU', currency: 'EUR' });
    const bought = world.store.subscribe(account, monthly, { trial: true });
    await world.post(id, bought.signed());
    const about = (type: string, sequence: number, fields: Json): Json =>
      purchase(type, sequence, bought, { ...customer(id), country_code: 'DE', currency: 'EUR', ...fields });
    expect(await received()).toEqual([
      about('INITIAL_PURCHASE', 1, { period_type: 'TRIAL', renewal_number: 1 }),
    ]);

    moveTo(startMs + 7 * DAY_MS);
    await world.notify(bought.renew());
    const [conversion] = await received();
    // A euro was worth more than a dollar all that year, and less than two.
    expect(conversion?.price).toBeGreaterThan(9.99);
    expect(conversion?.price).toBeLessThan(2 * 9.99);
    const euros = { price: conversion?.price, price_in_purchased_currency: 9.99, renewal_number: 2 };
    expect(conversion).toEqual(about('RENEWAL', 2, { ...euros, is_trial_conversion: true }));

    moveTo(startMs + 12 * DAY_MS);
    await world.notify(bought.refund());
    const refundMs = world.clock.nowMs();
    const support = { expiration_at_ms: refundMs };
    expect(await received()).toEqual([
      about('CANCELLATION', 3, {
        ...support,
        cancel_reason: 'CUSTOMER_SUPPORT',
        price: -conversion?.price,
        price_in_purchased_currency: -9.99,
      }),
      about('EXPIRATION', 4, { ...support, expiration_reason: 'CUSTOMER_SUPPORT' }),
    ]);

    moveTo(startMs + 15 * DAY_MS);
    await world.notify(bought.reverseRefund());
    const { price, price_in_purchased_currency: inCurrency } = euros;
    const again = { price, price_in_purchased_currency: inCurrency };
    expect(await received()).toEqual([about('REFUND_REVERSED', 5, again)]);
  });

  it('names the old and the new product of a change, and then the new one only', async () => {
    const id = person();
    const startMs = world.clock.nowMs();
    const bought = world.store.subscribe(world.store.account(), monthly);
    await world.post(id, bought.signed());
    await received();
    moveTo(startMs + 10 * DAY_MS);
    await world.notify(bought.downgrade(yearly));
    const about = (type: string, sequence: number, fields: Json): Json =>
      purchase(type, sequence, bought, { ...customer(id), ...fields });
    expect(await received()).toEqual([about('PRODUCT_CHANGE', 2, { new_product_id: 'pro_yearly' })]);
    moveTo(startMs + 30 * DAY_MS);
    await world.notify(bought.renew());
    expect(await received()).toEqual([
      about('RENEWAL', 3, {
        product_id: 'pro_yearly',
        price: 79.99,
        price_in_purchased_currency: 79.99,
        renewal_number: 2,
        is_trial_conversion: false,
      }),
    ]);
  });

  it('names the purchase of a price rise, and neither periods nor money', async () => {
    const id = person();
    const bought = world.store.subscribe(world.store.account(), monthly);
    await world.post(id, bought.signed());
    await received();
    const about = (type: string, sequence: number): Json => ({
      ...head(type, sequence),
      ...customer(id),
      product_id: 'pro_monthly',
      transaction_id: bought.latest.transactionId,
      original_transaction_id: bought.originalTransactionId,
      store: 'APP_STORE',
      environment: 'PRODUCTION',
      currency: 'USD',
      country_code: 'US',
    });
    world.clock.advanceMs(DAY_MS);
    await world.notify(bought.askForConsent());
    expect(await received()).toEqual([about('PRICE_INCREASE_CONSENT_REQUIRED', 2)]);
    world.clock.advanceMs(DAY_MS);
    await world.notify(bought.consent());
    expect(await received()).toEqual([about('PRICE_INCREASE_CONSENT_APPROVED', 3)]);
  });

  it('has no end for a one-time purchase, whose credits are a separate event', async () => {
    const currency = await world.backend.post(`${world.path}/virtual_currencies`, {
      code: 'GLD',
      name: 'Gold',
      product_grants: [{ product_ids: [world.products.coins.id], amount: 100 }],
    });
    expect(currency.status).toBe(201);
    const id = person();
    const { transaction } = world.store.buy(world.store.account('Sandbox'), coins);
    await world.post(id, world.store.signed(transaction));
    const [bought, credited, ...more] = await received();
    expect(more).toEqual([]);
    expect(bought).toEqual({
      ...head('NON_RENEWING_PURCHASE', 1),
      ...customer(id),
      product_id: 'coins_100',
      entitlement_id: null,
      entitlement_ids: null,
      period_type: 'NORMAL',
      purchased_at_ms: transaction.purchaseDate,
      expiration_at_ms: null,
      environment: 'SANDBOX',
      presented_offering_id: null,
      transaction_id: transaction.transactionId,
      original_transaction_id: transaction.transactionId,
      is_family_share: false,
      country_code: 'US',
      currency: 'USD',
      price: 0.99,
      price_in_purchased_currency: 0.99,
      store: 'APP_STORE',
      takehome_percentage: 0.7,
      tax_percentage: 0,
      commission_percentage: 0.3,
      offer_code: null,
      renewal_number: 1,
      metadata: null,
    });
    expect(credited).toEqual({
      ...head('VIRTUAL_CURRENCY_TRANSACTION', 2),
      ...customer(id),
      country_code: 'US',
      store: 'APP_STORE',
      product_id: 'coins_100',
      product_display_name: null,
      purchase_environment: 'SANDBOX',
      transaction_id: transaction.transactionId,
      virtual_currency_transaction_id: expect.stringMatching(/^vatx/),
      source: 'in_app_purchase',
      adjustments: [{ amount: 100, currency: { code: 'GLD', name: 'Gold', description: null } }],
    });
  });

  it('lists every id of both sides of a transfer, and all ids for a new alias', async () => {
    const [device, id, taker] = [`$RCAnonymousID:${'c'.repeat(32)}`, person(), person()];
    const bought = world.store.subscribe(world.store.account(), monthly);
    await world.post(device, bought.signed());
    await received();
    world.clock.advanceMs(1);
    await world.sdk.post('/v1/subscribers/identify', { app_user_id: device, new_app_user_id: id });
    expect(await received()).toEqual([
      { ...head('SUBSCRIBER_ALIAS', 2), ...customer(id, [device, id], device) },
    ]);
    world.clock.advanceMs(1);
    const attributes = { plan: { value: 'blue', updated_at_ms: world.clock.nowMs() } };
    await world.post(taker, bought.signed(), { attributes });
    expect(await received()).toEqual([
      {
        ...head('TRANSFER', expect.any(Number)),
        store: 'APP_STORE',
        environment: 'PRODUCTION',
        transferred_from: [device, id].toSorted(),
        transferred_to: [taker],
        subscriber_attributes: attributes,
      },
    ]);
  });

  it('has no app and no price for a grant', async () => {
    const id = person();
    const startMs = world.clock.nowMs();
    const endMs = startMs + 30 * DAY_MS;
    await world.backend.post(`${world.path}/customers`, { id });
    const { items } = (await world.backend.get(`${world.path}/entitlements`)).body;
    const granted = await world.backend.post(`${world.path}/customers/${id}/actions/grant_entitlement`, {
      entitlement_id: items[0].id,
      expires_at: endMs,
    });
    expect(granted.status).toBe(201);
    const [event, ...more] = await received();
    expect(more).toEqual([]);
    const { app_id: appId, ...common } = head('INITIAL_PURCHASE', 1);
    expect(appId).toBe(world.appId);
    expect(event).toEqual({
      ...common,
      ...customer(id),
      product_id: expect.any(String),
      entitlement_id: null,
      entitlement_ids: ['pro'],
      period_type: 'PROMOTIONAL',
      purchased_at_ms: startMs,
      expiration_at_ms: endMs,
      environment: 'PRODUCTION',
      presented_offering_id: null,
      transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      original_transaction_id: event?.transaction_id,
      is_family_share: false,
      country_code: null,
      currency: 'USD',
      price: 0,
      price_in_purchased_currency: 0,
      store: 'PROMOTIONAL',
      takehome_percentage: 1,
      tax_percentage: 0,
      commission_percentage: 0,
      offer_code: null,
      renewal_number: 1,
      metadata: null,
    });
  });

  it('covers every type that can occur', () => {
    expect([...seen].sort()).toEqual([
      'BILLING_ISSUE',
      'CANCELLATION',
      'EXPIRATION',
      'INITIAL_PURCHASE',
      'NON_RENEWING_PURCHASE',
      'PRICE_INCREASE_CONSENT_APPROVED',
      'PRICE_INCREASE_CONSENT_REQUIRED',
      'PRODUCT_CHANGE',
      'REFUND_REVERSED',
      'RENEWAL',
      'SUBSCRIBER_ALIAS',
      'SUBSCRIPTION_EXTENDED',
      'TRANSFER',
      'UNCANCELLATION',
      'VIRTUAL_CURRENCY_TRANSACTION',
    ]);
  });
});
