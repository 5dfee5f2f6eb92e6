import { jest } from '@jest/globals';
import { LineRate } from './line-rate.js';

const receipt = { method: 'POST', route: '/v1/receipts', status: 400 };

describe('the rate of lines', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('lets a hundred lines of a kind through each second, and reports how many it left out', () => {
    const reports: unknown[] = [];
    const rate = new LineRate((kind, leftOut) => reports.push([kind, leftOut]));
    const admitted = (times: number, kind = receipt): number =>
      Array.from({ length: times }, () => rate.admit(kind)).filter(Boolean).length;
    expect(admitted(250)).toBe(100);
    expect(admitted(30, { ...receipt, status: 503 })).toBe(30);
    expect(reports).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(reports).toEqual([[receipt, 150]]);
    expect(admitted(1)).toBe(1);
    jest.advanceTimersByTime(10_000);
    expect(reports).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
