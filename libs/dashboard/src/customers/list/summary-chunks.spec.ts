import { summaryChunks } from './summary-chunks.js';

describe('groups of ids', () => {
  it('holds at most fifty', () => {
    const ids = Array.from({ length: 120 }, (_, index) => `user-${index}`);
    const chunks = summaryChunks(ids);
    expect(chunks.map(({ length }) => length)).toEqual([50, 50, 20]);
    expect(chunks.flat()).toEqual(ids);
  });

  it('keeps them short enough for an address', () => {
    const long = Array.from({ length: 6 }, (_, index) => `${'🦄'.repeat(99)}${index}`);
    const lengths = summaryChunks(long).map((chunk) => encodeURIComponent(chunk.join('')).length);
    expect(Math.max(...lengths)).toBeLessThan(4_000);
    expect(summaryChunks([])).toEqual([]);
  });
});
