import { bytesText, durationOf, modeText } from './run-texts.js';

describe('texts of a run', () => {
  it('name the mode, and why a run was full', () => {
    expect(modeText({ mode: 'incremental', mode_reason: null })).toBe('New and changed rows');
    expect(modeText({ mode: 'full', mode_reason: null })).toBe('Every row');
    expect(modeText({ mode: 'full', mode_reason: 'first' })).toBe('Every row (the first run)');
  });

  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 KB'],
    [5_449_000, '5.4 MB'],
    [2e15, '2,000 TB'],
  ])('write %d bytes as %s', (bytes, text) => {
    expect(bytesText('en-US', bytes)).toBe(text);
  });

  it('measure until the end, or until now', () => {
    expect(durationOf({ started_at: null, finished_at: null }, 9)).toBeNull();
    expect(durationOf({ started_at: 2, finished_at: null }, 9)).toBe(7);
    expect(durationOf({ started_at: 2, finished_at: 5 }, 9)).toBe(3);
    // The browser's clock is behind the server's.
    expect(durationOf({ started_at: 9, finished_at: null }, 2)).toBe(0);
  });
});
