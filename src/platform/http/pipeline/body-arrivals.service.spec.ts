import { jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { loadConfig } from '../../config/config.js';
import { BodyArrivalsService } from './body-arrivals.service.js';

const TIMEOUT_MS = 5_000;

describe('bodies that have not arrived in full', () => {
  let arrivals: BodyArrivalsService;
  let registry: Registry;
  let dropped: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    dropped = [];
    registry = new Registry();
    const env = { SERVICE_MAX_BODIES_ARRIVING: '5', SERVICE_MAX_BODIES_ARRIVING_PER_ADDRESS: '2' };
    arrivals = new BodyArrivalsService(loadConfig(env), registry);
  });

  afterEach(() => jest.useRealTimers());

  /** A body whose bytes arrive on demand. */
  function body(name: string, ip = `192.0.2.${name.charCodeAt(0)}`) {
    let bytes = 300;
    const end = arrivals.begin({ ip, bytesRead: () => bytes, drop: () => dropped.push(name) });
    return { end, receive: (count: number) => void (bytes += count) };
  }

  it('drops them when nothing arrives for the timeout', () => {
    body('a');
    jest.advanceTimersByTime(TIMEOUT_MS - 1);
    expect(dropped).toEqual([]);
    jest.advanceTimersByTime(TIMEOUT_MS / 5 + 1);
    expect(dropped).toEqual(['a']);
  });

  it('drops them when they are slower than a slow phone, and otherwise waits', () => {
    const drip = body('drip');
    const phone = body('phone');
    for (let second = 0; second < 9; second++) {
      drip.receive(1);
      phone.receive(2_000);
      jest.advanceTimersByTime(1_000);
    }
    expect(dropped).toEqual([]);
    for (let second = 0; second < 60; second++) {
      drip.receive(1);
      phone.receive(2_000);
      jest.advanceTimersByTime(1_000);
    }
    expect(dropped).toEqual(['drip']);
    for (let second = 0; second < 60; second++) {
      phone.receive(2_000);
      jest.advanceTimersByTime(1_000);
    }
    // Before Node would respond with 408.
    expect(dropped).toEqual(['drip', 'phone']);
  });

  it('drops the oldest for new ones: of the same address, then of all', () => {
    body('a', '192.0.2.1');
    body('b', '192.0.2.2');
    body('c', '192.0.2.2');
    body('d', '192.0.2.2');
    expect(dropped).toEqual(['b']);
    body('e', '2001:db8::1');
    body('f', '2001:db8::2');
    body('g', '2001:db8::3');
    expect(dropped).toEqual(['b', 'e']);
    body('h', '198.51.100.1');
    expect(dropped).toEqual(['b', 'e', 'a']);
  });

  it('stops counting them once they have arrived', async () => {
    for (let count = 0; count < 20; count++) body('a', '192.0.2.1').end();
    const { end } = body('b');
    jest.advanceTimersByTime(100);
    expect(await registry.metrics()).toContain('tenure_http_bodies_arriving 1');
    end();
    jest.advanceTimersByTime(10 * TIMEOUT_MS);
    expect(dropped).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
