import { deliveredShare, failingSince } from './delivery-counts.js';
import type { DeliveryStatus } from './delivery.js';

describe('counts of deliveries', () => {
  it('has no share without deliveries', () => {
    expect(deliveredShare({ delivered_24h: 0, failed_24h: 0 })).toBeNull();
    expect(deliveredShare({ delivered_24h: 3, failed_24h: 1 })).toBe(0.75);
  });

  it('fails since the oldest delivery after the last one that arrived', () => {
    const delivery = (status: DeliveryStatus, attempts: number, created_at: number) => ({
      status,
      attempts,
      created_at,
    });
    expect(failingSince([delivery('delivered', 1, 4), delivery('failed', 6, 3)])).toBeNull();
    expect(
      failingSince([
        delivery('pending', 0, 5),
        delivery('pending', 1, 4),
        delivery('failed', 6, 3),
        delivery('delivered', 1, 2),
        delivery('failed', 6, 1),
      ]),
    ).toBe(3);
    expect(failingSince([delivery('pending', 0, 5)])).toBeNull();
  });
});
