import { partBytes, partOffset } from './parts.js';

describe('parts of a file', () => {
  it('follow each other without gaps', () => {
    for (const number of [1, 2, 999, 1000, 1001, 1002, 10_000]) {
      expect(partOffset(number + 1)).toBe(partOffset(number) + partBytes(number));
    }
    expect(partOffset(1)).toBe(0);
  });

  it('reach 570 GiB within the 10,000 parts of S3', () => {
    expect(partOffset(10_001) / 1024 ** 3).toBeGreaterThan(570);
  });
});
