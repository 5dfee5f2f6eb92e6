import { healthHint, healthOf } from './destination-health.js';
import type { DestinationState } from './destinations.queries.js';

const NOW = 1_000_000;

const state = (more: Partial<DestinationState>): DestinationState => ({
  object: 'destination_state',
  id: 'dst_1',
  enabled: true,
  circuit: 'closed',
  credentials: 'ok',
  quiet_until: null,
  delivered_24h: 0,
  failed_24h: 0,
  skipped_24h: 0,
  pending: 0,
  waiting: 0,
  ...more,
});

describe('the state of a destination', () => {
  it.each<[Partial<DestinationState>, number, string]>([
    [{}, 0, 'delivering'],
    [{}, NOW + 60_000, 'delivering'],
    [{}, NOW + 60_001, 'starts'],
    [{ delivered_24h: 9, failed_24h: 1 }, 0, 'delivering'],
    [{ delivered_24h: 1, failed_24h: 1 }, 0, 'failing'],
    [{ skipped_24h: 5 }, 0, 'delivering'],
    [{ quiet_until: NOW + 1, failed_24h: 1 }, 0, 'slowed'],
    [{ quiet_until: NOW }, 0, 'delivering'],
    [{ circuit: 'open', quiet_until: NOW + 1 }, 0, 'open'],
    [{ circuit: 'open', credentials: 'refused' }, NOW + 90_000, 'key'],
    [{ enabled: false, credentials: 'refused' }, 0, 'paused'],
  ])('of %j, with the start at %d, is %s', (given, sendFrom, expected) => {
    expect(healthOf(state(given), { send_from: sendFrom }, NOW)).toBe(expected);
  });

  it('says that a refused key loses nothing', () => {
    expect(healthHint('key', 'Braze')).toBe(
      'Braze refuses the key. Nothing is lost: deliveries are sent once it is corrected.',
    );
    expect(healthHint('delivering', 'Braze')).toBeNull();
  });
});
