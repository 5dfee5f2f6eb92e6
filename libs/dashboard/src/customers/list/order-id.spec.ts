import { looksLikeOrderId } from './order-id.js';

describe('an order id', () => {
  it.each([
    'GPA.3312-4512-1100-55923',
    'GPA.3312-4512-1100-55923..4',
    ' MK4N2X9ABC ',
    '2000000123456789',
    'in_1MtHbELkdIwHu7ix',
    'cs_test_a1b2c3d4e5',
  ])('accepts %s', (text) => {
    expect(looksLikeOrderId(text)).toBe(true);
  });

  it.each(['', 'ada@example.com', '12345', '$RCAnonymousID:0123456789abcdef0123456789abcdef', 'Mary', '..'])(
    'rejects %s',
    (text) => {
      expect(looksLikeOrderId(text)).toBe(false);
    },
  );
});
