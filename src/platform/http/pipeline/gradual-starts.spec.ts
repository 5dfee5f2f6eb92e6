import { setImmediate as nextIteration } from 'node:timers/promises';
import { GradualStarts } from './gradual-starts.js';

describe('GradualStarts', () => {
  it('starts all of a burst in order, four per iteration of the event loop', async () => {
    const starts = new GradualStarts();
    const started: number[] = [];
    const all = Array.from({ length: 10 }, (_, index) => starts.wait().then(() => started.push(index)));
    const counts: number[] = [];
    while (started.length < 10) {
      await nextIteration();
      counts.push(started.length);
    }
    await Promise.all(all);
    expect(counts.filter((count) => count > 0)).toEqual([4, 8, 10]);
    expect(started).toEqual(Array.from({ length: 10 }, (_, index) => index));
  });

  it('starts a caller that comes while others wait after them', async () => {
    const starts = new GradualStarts();
    const started: string[] = [];
    const burst = Array.from({ length: 5 }, () => starts.wait().then(() => started.push('burst')));
    await nextIteration();
    const late = starts.wait().then(() => started.push('late'));
    await Promise.all([...burst, late]);
    expect(started).toEqual([...burst.map(() => 'burst'), 'late']);
  });
});
