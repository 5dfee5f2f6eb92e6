import { CallError } from '../api/call-error.js';
import { askAgainMs, partsOf } from './background-answers.js';

describe('a chart in the background', () => {
  it('reads the progress from the message', () => {
    expect(partsOf('The chart is being computed: 12 of 500 parts are done.')).toEqual({ done: 12, all: 500 });
    expect(partsOf('Too many charts are being computed for this project.')).toBeNull();
  });

  it('is asked for again after the time that the server names', () => {
    const error = (reason: string): CallError => new CallError('', { status: 503, reason, retryAfterS: 7 });
    expect(askAgainMs(error('chart_computing'))).toBe(7000);
    expect(askAgainMs(error('too_many_charts'))).toBe(7000);
    expect(askAgainMs(error('elsewhere'))).toBe(false);
    expect(askAgainMs(null)).toBe(false);
  });
});
