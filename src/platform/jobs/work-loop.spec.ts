import { WorkLoop } from './work-loop.js';

/** Rounds that end on demand. */
function manualRounds() {
  const ends: (() => void)[] = [];
  const errors: unknown[] = [];
  let atOnce = 0;
  let most = 0;
  const loop = new WorkLoop(
    async () => {
      most = Math.max(most, ++atOnce);
      await new Promise<void>((resolve) => ends.push(resolve));
      atOnce--;
    },
    (error) => errors.push(error),
  );
  return { loop, ends, errors, most: () => most };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work loop', () => {
  it('makes one round of several wakes, and one more for wakes during a round', async () => {
    const { loop, ends, most } = manualRounds();
    void loop.wake();
    const end = loop.wake();
    await turn();
    expect(ends).toHaveLength(1);
    void loop.wake();
    void loop.wake();
    ends[0]?.();
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await end;
    expect(most()).toBe(1);
    expect(ends).toHaveLength(2);
  });

  it('continues after a failed round', async () => {
    const errors: unknown[] = [];
    let rounds = 0;
    const loop = new WorkLoop(
      () => (++rounds === 1 ? Promise.reject(new Error('first')) : Promise.resolve()),
      (error) => errors.push(error),
    );
    await loop.wake();
    await loop.wake();
    expect([rounds, errors]).toEqual([2, [new Error('first')]]);
  });

  it('waits for the running round when it stops, and starts no other', async () => {
    const { loop, ends } = manualRounds();
    void loop.wake();
    await turn();
    let stopped = false;
    const stopping = loop.stop().then(() => (stopped = true));
    await turn();
    expect(stopped).toBe(false);
    ends[0]?.();
    await stopping;
    await loop.wake();
    expect(ends).toHaveLength(1);
  });
});
