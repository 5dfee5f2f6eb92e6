import { rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import {
  bought,
  course,
  ending,
  expired,
  renewing,
  type RokuRow,
  testRokuRows,
} from '../../../test/support/roku-rows.js';

const { monthly, intro } = rokuProducts;
const HOUR = 1 / 24;

const inGrace = { status: 'in_grace_period', renews: 'will_renew', access: true, endsOn: 33 };
const onHold = { status: 'in_billing_retry', renews: 'will_renew', access: false };
const failed = ['BILLING_ISSUE', 'CANCELLATION/BILLING_ERROR'];

const rows: RokuRow[] = [
  {
    row: 'K1 first transaction',
    live: course(),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K2 trial, by the flag of Roku',
    live: (watch) => bought(watch, monthly, { trialDays: 7 }),
    state: { ...renewing, status: 'trialing', endsOn: 7 },
    events: ['INITIAL_PURCHASE/trial'],
  },
  {
    row: 'K2 trial, by the trial of the product that the device names',
    async live(watch) {
      const life = watch.roku.subscribe(monthly, { isTest: true });
      await watch.post(life.id, { trialDuration: 'P1W' });
      return life;
    },
    state: { ...renewing, status: 'trialing', endsOn: 30 },
    events: ['INITIAL_PURCHASE/trial'],
  },
  {
    row: 'K2 a test user pays nothing, and has no trial',
    live: (watch) => bought(watch, monthly, { isTest: true }),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K3 introductory price',
    async live(watch) {
      const life = watch.roku.subscribe(intro);
      await watch.post(life.id, { introDuration: 'P1M' });
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE/intro'],
  },
  {
    row: 'K4 renewal',
    live: course([30, (life) => life.renew()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
  },
  {
    row: 'K4 trial, converted',
    async live(watch) {
      const life = await bought(watch, monthly, { trialDays: 7 });
      watch.on(7);
      await watch.push(life.renew());
      return life;
    },
    state: { ...renewing, endsOn: 37 },
    events: ['INITIAL_PURCHASE/trial', 'RENEWAL'],
  },
  {
    row: 'K5 grace, told by Roku',
    live: course([30 + HOUR / 6, (life) => life.failCharge()]),
    state: inGrace,
    events: ['INITIAL_PURCHASE', ...failed],
  },
  {
    row: 'K5 grace, found by a poll',
    async live(watch) {
      const life = await bought(watch);
      watch.on(30 + 2 * HOUR);
      await watch.poll(life);
      return life;
    },
    state: inGrace,
    events: ['INITIAL_PURCHASE', ...failed],
  },
  {
    row: 'K5 a charge that takes minutes is no billing issue yet',
    async live(watch) {
      const life = await bought(watch);
      watch.on(30 + HOUR / 12);
      await watch.poll(life);
      return life;
    },
    state: inGrace,
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K6 recovered in grace',
    live: course([30.1, (life) => life.failCharge()], [32, (life) => life.recover()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', ...failed, 'RENEWAL'],
  },
  {
    row: 'K7 on hold after grace',
    live: course([30.1, (life) => life.failCharge()], [33.1, (life) => life.holdBegins()]),
    state: { ...onHold, endsOn: 33 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K7 on hold at once, after a trial',
    async live(watch) {
      const life = await bought(watch, monthly, { trialDays: 7 });
      watch.on(7.1);
      await watch.push(life.failCharge());
      return life;
    },
    state: { ...onHold, endsOn: 7 },
    events: [
      'INITIAL_PURCHASE/trial',
      ...['BILLING_ISSUE/trial', 'CANCELLATION/BILLING_ERROR', 'EXPIRATION/BILLING_ERROR'],
    ],
  },
  {
    row: 'K8 recovered on hold',
    live: course(
      [30.1, (life) => life.failCharge()],
      [33.1, (life) => life.holdBegins()],
      [40, (life) => life.recover()],
    ),
    state: { ...renewing, endsOn: 70 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR', 'RENEWAL'],
  },
  {
    row: 'K9 cancelled',
    live: course([10, (life) => life.cancel()]),
    state: { ...ending, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE'],
  },
  {
    row: 'K10 cancelled, over',
    async live(watch) {
      const life = await course([10, (one) => one.cancel()])(watch);
      watch.on(30.1);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
  },
  {
    row: 'K11 given up on hold: nothing more ends',
    live: course(
      [30.1, (life) => life.failCharge()],
      [33.1, (life) => life.holdBegins()],
      [90.1, (life) => life.news('Cancellation')],
    ),
    state: { ...expired, endsOn: 33 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K11 given up in grace',
    live: course([30.1, (life) => life.failCharge()], [32, (life) => life.shut()]),
    state: { ...expired, endsOn: 32 },
    events: ['INITIAL_PURCHASE', ...failed, 'EXPIRATION/BILLING_ERROR'],
  },
  {
    row: 'K12 resubscribed',
    live: course([10, (life) => life.cancel()], [12, (life) => life.resubscribe()]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'UNCANCELLATION'],
  },
  {
    row: 'K13 refunded, still entitled: only money',
    live: course([5, (life) => life.refund()]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K13 refunded as unauthorized: access ends',
    live: course([5, (life) => life.refund(life.total, { isUnauthorized: true })]),
    state: { ...expired, endsOn: 5 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
  },
  {
    row: 'K13 refunded, then cancelled at once',
    live: course([5, (life) => life.refund()], [6, (life) => life.shut()]),
    state: { ...expired, endsOn: 6 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/CUSTOMER_SUPPORT', 'EXPIRATION/CUSTOMER_SUPPORT'],
  },
  {
    row: 'K14 an older transaction refunded',
    live: course([30, (life) => life.renew()], [35, (life) => life.refund()]),
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'RENEWAL'],
  },
  {
    row: 'K14 refunded in part',
    live: course([5, (life) => life.refund(4)]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K20 chargeback',
    live: course([5, (life) => life.news('Chargeback', { total: 9.99 })]),
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
  {
    row: 'K21 an offer to stay makes the period longer',
    live: course([10, (life) => life.extend(14)]),
    state: { ...renewing, endsOn: 44 },
    events: ['INITIAL_PURCHASE', 'SUBSCRIPTION_EXTENDED'],
  },
  {
    row: 'K23 no longer sold: as if cancelled',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      life.isCancelled = true;
      await watch.poll(life);
      watch.on(30.1);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
  },
  {
    row: 'K24 voided, of a test user',
    async live(watch) {
      const life = await bought(watch, monthly, { isTest: true });
      watch.on(10);
      watch.roku.forget(life.id);
      await watch.poll(life);
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'CANCELLATION/UNKNOWN', 'EXPIRATION/UNKNOWN'],
  },
  {
    row: 'K24 unknown, but paid for: nothing changes',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      watch.roku.forget(life.id);
      await watch.poll(life);
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: ['INITIAL_PURCHASE'],
  },
];

describe('states of Roku subscriptions', () => testRokuRows(rows));
