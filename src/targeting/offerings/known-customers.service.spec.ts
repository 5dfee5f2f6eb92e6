import { ManualClock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { customersChanged } from '../../customers/customers/identity/customers-changed.js';
import type { NotificationListenerService } from '../../platform/database/connections/notification-listener.service.js';
import { KnownCustomers, MAX_CUSTOMERS } from './known-customers.service.js';

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

describe('what is known of customers', () => {
  const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
  const inB = { experimentId: 'e2', variant: 'b' } as const;
  let hear: (payload: string) => void;
  let listener: { connected: boolean };
  let known: KnownCustomers;

  const catalogOf = (version: number, projectId = 'proj1') =>
    ({
      projectId,
      version,
    }) as Catalog;
  const catalog = catalogOf(1);
  const remember = (appUserId: string, of = catalog) => known.remember(of, appUserId, inB, known.mark);

  beforeEach(() => {
    const fake = { connected: true, on: (_: string, handler: typeof hear) => (hear = handler) };
    listener = fake;
    known = new KnownCustomers(fake as unknown as NotificationListenerService, clock);
  });

  it('remembers their variant, or that they are out, for a day', () => {
    remember('ada');
    known.remember(catalog, 'bob', 'out', known.mark);
    const found = () => ['ada', 'bob', 'eve'].map((id) => known.find(catalog, id));
    expect(found()).toEqual([inB, 'out', null]);
    clock.advanceMs(DAY_MS - MINUTE_MS);
    expect(found()).toEqual([inB, 'out', null]);
    clock.advanceMs(2 * MINUTE_MS);
    expect(found()).toEqual([null, null, null]);
  });

  it('holds for one version of the catalog and one project', () => {
    remember('ada', catalogOf(2));
    expect(known.find(catalogOf(2), 'ada')).toEqual(inB);
    expect([known.find(catalog, 'ada'), known.find(catalogOf(2, 'proj2'), 'ada')]).toEqual([null, null]);
    // A response that started with the previous catalog.
    remember('ada', catalog);
    expect([known.find(catalog, 'ada'), known.find(catalogOf(2), 'ada')]).toEqual([null, inB]);
    remember('bob', catalogOf(3));
    expect(known.find(catalogOf(3), 'ada')).toBeNull();
  });

  it('forgets the least recently used customers beyond its limit', () => {
    for (let number = 0; number < MAX_CUSTOMERS; number++) remember(`customer-${number}`);
    expect(known.find(catalog, 'customer-0')).toEqual(inB);
    remember('ada');
    const found = ['ada', 'customer-0', 'customer-1', 'customer-2'].map((id) => known.find(catalog, id));
    expect(found).toEqual([inB, inB, null, inB]);
  });

  it('ends when the id belongs to another customer', () => {
    for (const id of ['ada', 'bob', 'eve']) remember(id);
    hear(customersChanged('proj1', ['ada', 'bob']));
    expect(['ada', 'bob', 'eve'].map((id) => known.find(catalog, id))).toEqual([null, null, inB]);
    hear(customersChanged('proj1', []));
    expect(known.find(catalog, 'eve')).toBeNull();
    remember('ada');
    expect([known.find(catalog, 'ada'), known.find(catalog, 'eve')]).toEqual([inB, null]);
  });

  it('ignores a read that may be older than a change', () => {
    for (const ids of [['ada', 'bob'], []]) {
      const { mark } = known;
      hear(customersChanged('proj1', ids));
      known.remember(catalog, 'ada', inB, mark);
      expect(known.find(catalog, 'ada')).toBeNull();
    }
  });

  it('remembers a read beside changes of other customers, and ignores texts that no server sent', () => {
    const { mark } = known;
    hear(customersChanged('proj2', ['ada']));
    hear(customersChanged('proj1', ['bob']));
    for (const text of ['x', '{"a":1}', 'null', '[]', '[1]', '[{}]', '"proj1"']) hear(text);
    known.remember(catalog, 'ada', inB, mark);
    expect(known.find(catalog, 'ada')).toBe(inB);
  });

  it('stays unused while changes cannot be heard, with everything known before', () => {
    remember('ada');
    listener.connected = false;
    expect(known.find(catalog, 'ada')).toBeNull();
    remember('bob');
    listener.connected = true;
    hear('');
    expect(['ada', 'bob'].map((id) => known.find(catalog, id))).toEqual([null, null]);
  });
});
