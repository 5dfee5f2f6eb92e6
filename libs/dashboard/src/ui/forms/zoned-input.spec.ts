import fc from 'fast-check';
import { localToMs, msToLocal } from './zoned-input.js';

const zones = [
  'UTC',
  'Europe/Berlin',
  'Pacific/Auckland',
  'America/Los_Angeles',
  'Asia/Kolkata',
  // Zones on both sides of the date line, and one whose clocks change by half an hour.
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Australia/Lord_Howe',
];

describe('a date and time in a zone', () => {
  it.each([
    ['2026-11-23T14:03', 'UTC', '2026-11-23T14:03:00.000Z'],
    ['2026-11-23T14:03', 'Pacific/Auckland', '2026-11-23T01:03:00.000Z'],
    ['2026-07-01T00:00', 'America/Los_Angeles', '2026-07-01T07:00:00.000Z'],
    // The clocks change at 02:00 on that day.
    ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('%s in %s is %s', (local, zone, iso) => {
    expect(new Date(localToMs(local, zone)!).toISOString()).toBe(iso);
  });

  it('comes back as it was, to the minute', () => {
    const minutes = fc.integer({ min: Date.UTC(2000, 0) / 60_000, max: Date.UTC(2090, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
        const local = msToLocal(minute * 60_000, zone);
        // In the hour that occurs twice, either time is correct.
        expect(msToLocal(localToMs(local, zone), zone)).toBe(local);
      }),
    );
  });

  it('differs by a day on either side of the date line', () => {
    const at = Date.UTC(2026, 10, 23, 10, 30);
    expect(msToLocal(at, 'Pacific/Kiritimati')).toBe('2026-11-24T00:30');
    expect(msToLocal(at, 'Pacific/Pago_Pago')).toBe('2026-11-22T23:30');
  });

  it('follows the clocks through the hour that is left out, and through the one that comes twice', () => {
    const steps = (from: number, zone: string) =>
      [0, 1, 2].map((hour) => msToLocal(from + hour * 3_600_000, zone).slice(11));
    expect(steps(Date.UTC(2026, 2, 8, 9, 30), 'America/Los_Angeles')).toEqual(['01:30', '03:30', '04:30']);
    expect(steps(Date.UTC(2026, 10, 1, 8, 30), 'America/Los_Angeles')).toEqual(['01:30', '01:30', '02:30']);
    expect(steps(Date.UTC(2026, 3, 4, 13, 30), 'Pacific/Auckland')).toEqual(['02:30', '02:30', '03:30']);
  });

  it('returns null for anything but a time', () => {
    expect(localToMs('', 'UTC')).toBeNull();
    expect(localToMs('2026-13-40T00:00', 'UTC')).toBeNull();
    expect(msToLocal(null, 'UTC')).toBe('');
  });
});
