import type { AddedDestination } from '../support/arrange-destinations.js';
import { type DestinationWorld, startDestinationWorld } from '../support/destination-world.js';

const ROUNDS = 300;
const TOGETHER = 10;
const ADJUST_ID = '0123456789abcdef0123456789abcdef';

/** Holds back every commit of an attribute, while the attribute is already written. */
const slowCommits = `
  CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(random() * 0.04); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT OR UPDATE ON customer_attributes
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit()`;

describe('attributes that arrive while their events begin to wait', () => {
  let world: DestinationWorld;
  let adjust: AddedDestination;

  beforeAll(async () => {
    world = await startDestinationWorld({ hasReplica: true });
    await world.startOver();
    adjust = await world.add('adjust');
    await world.server.dataSource.query(slowCommits);
  });

  afterAll(() => world.close());

  /** One purchase whose attribute arrives before, during or after the recording of the wait. */
  async function round(n: number): Promise<void> {
    const customer = `buyer-${n}`;
    await world.buy(customer);
    const arrive = world.setAttributes(customer, { $adjustId: ADJUST_ID });
    if (n % 3 === 0) await arrive;
    await Promise.all([world.drain(), arrive]);
  }

  it('leaves none behind, with two servers and slow commits', async () => {
    for (let n = 0; n < ROUNDS; n += TOGETHER)
      await Promise.all(Array.from({ length: TOGETHER }, (_, k) => round(n + k)));
    await world.drain();
    const states = (await world.deliveries(adjust)).map(({ status, reason }) => `${status} ${reason}`);
    expect(states).toEqual(Array(ROUNDS).fill('delivered null'));
    expect(world.tools.adjust.events).toHaveLength(ROUNDS);
  });
});
