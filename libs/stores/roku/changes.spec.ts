import { rokuProducts } from '../../../test/support/fake-roku/fake-roku.js';
import {
  bought,
  ending,
  expired,
  renewing,
  type RokuRow,
  testRokuRows,
} from '../../../test/support/roku-rows.js';

const { basic, yearly } = rokuProducts;

const rows: RokuRow[] = [
  {
    row: 'K15 upgrade: the old one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.upgrade(yearly).bought());
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K15 upgrade: the new one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.upgrade(yearly);
      await watch.push(next.bought());
      return next;
    },
    state: { ...renewing, endsOn: 375 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K15 upgrade with a trial: the old one waits without access',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.upgrade(yearly, 7).bought());
      return life;
    },
    state: { ...expired, endsOn: 10 },
    events: ['INITIAL_PURCHASE', 'INITIAL_PURCHASE/trial', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K16 trial of an upgrade cancelled: the old one continues',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.upgrade(yearly, 7);
      await watch.push(next.bought());
      watch.on(12);
      await watch.push(next.cancelUpgrade());
      return life;
    },
    state: { ...renewing, endsOn: 30 },
    events: [
      ...['INITIAL_PURCHASE', 'INITIAL_PURCHASE/trial', 'PRODUCT_CHANGE'],
      ...['CANCELLATION/UNSUBSCRIBE', 'EXPIRATION/UNSUBSCRIBE'],
    ],
  },
  {
    row: 'K17 downgrade planned: the old one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.downgrade(basic).downgradePlanned());
      return life;
    },
    state: { ...renewing, renews: 'will_change_product', endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K17 downgrade planned: the new one is not there yet',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      return next;
    },
    state: null,
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K17 a planned downgrade stays planned when Roku is asked again',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      await watch.push(life.downgrade(basic).downgradePlanned());
      watch.on(20);
      await watch.poll(life);
      return life;
    },
    state: { ...renewing, renews: 'will_change_product', endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE'],
  },
  {
    row: 'K18 downgrade begins: the new one',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(30.01);
      await watch.push(next.begin());
      return next;
    },
    state: { ...renewing, endsOn: 60 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE'],
  },
  {
    row: 'K18 downgrade begins: the old one ended without a word',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(30.01);
      await watch.push(next.begin());
      return life;
    },
    state: { ...expired, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE'],
  },
  {
    row: 'K19 planned downgrade withdrawn',
    async live(watch) {
      const life = await bought(watch);
      watch.on(10);
      const next = life.downgrade(basic);
      await watch.push(next.downgradePlanned());
      watch.on(12);
      await watch.push(next.withdraw());
      return life;
    },
    state: { ...ending, endsOn: 30 },
    events: ['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'CANCELLATION/UNSUBSCRIBE'],
  },
];

describe('changes between Roku subscriptions', () => testRokuRows(rows));
