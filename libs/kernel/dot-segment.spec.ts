import fc from 'fast-check';
import { isDotSegment } from './dot-segment.js';

describe('dot segments', () => {
  it('matches the segments that a URL parser resolves', () => {
    const text = fc.string({ unit: fc.constantFrom('.', '%2e', '%2E', 'a', '%'), maxLength: 4 });
    fc.assert(
      fc.property(text, (segment) => {
        const { pathname } = new URL(`http://host/above/${segment}/below`);
        const isFolded = pathname.split('/').length < 4;
        expect(isDotSegment(segment)).toBe(segment !== '' && isFolded);
      }),
    );
  });
});
