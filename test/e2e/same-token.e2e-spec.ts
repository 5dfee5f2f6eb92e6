import { ReceiptReadsService } from '../../src/sdk/receipts/receipt-reads.service.js';
import { type PlayWorld, startPlayWorld } from '../support/arrange-play.js';
import { playProducts } from '../support/fake-play/fake-play.js';

const POSTS = 20;

describe('one purchase token posted many times at once', () => {
  let world: PlayWorld;

  beforeAll(async () => {
    world = await startPlayWorld();
  });
  afterAll(() => world.close());

  const calls = (token: string, verb = ''): number =>
    world.google.calls.filter(({ path }) => path.includes(token) && path.endsWith(`${token}${verb}`)).length;

  it('causes one lookup and one acknowledgement, even if Google returns old state for a while', async () => {
    const subscription = world.play.subscribe(playProducts.monthly);
    const { token } = subscription;
    const reads = world.server.app.get(ReceiptReadsService);
    const share = reads.share.bind(reads);
    let arrived = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (release = resolve));
    // Google answers when every post waits for it.
    reads.share = (key, read) => {
      if (++arrived === POSTS) release();
      return share(key, () => all.then(read));
    };
    const posts = await Promise.all(Array.from({ length: POSTS }, () => world.post('ada', token)));
    reads.share = share;
    expect(posts.map(({ status }) => status)).toEqual(Array(POSTS).fill(200));
    expect(calls(token)).toBe(1);
    await world.tasks();
    expect(calls(token, ':acknowledge')).toBe(1);

    subscription.isAcknowledged = false;
    await world.post('ada', token);
    await world.tasks();
    expect([calls(token), calls(token, ':acknowledge')]).toEqual([2, 1]);

    world.clock.advanceMs(600_000);
    await world.tasks();
    await world.post('ada', token);
    await world.tasks();
    expect(calls(token, ':acknowledge')).toBe(2);
  });

  it('causes a new lookup by the next post, and for every token', async () => {
    const [one, other] = [1, 2].map(() => world.play.subscribe(playProducts.monthly).token);
    await Promise.all([world.post('bob', one!), world.post('bob', other!)]);
    await world.post('bob', one!);
    expect([calls(one!), calls(other!)]).toEqual([2, 1]);
  });
});
