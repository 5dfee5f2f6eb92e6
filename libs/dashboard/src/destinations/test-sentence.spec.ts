import type { DestinationTest } from './destinations.writes.js';
import { testSentence } from './test-sentence.js';

const said = (delivered: boolean, response_status: number | null, reason_text: string | null) =>
  testSentence('Amplitude', { delivered, response_status, reason_text } as DestinationTest);

describe('the answer to a test event', () => {
  it('is a sentence', () => {
    expect(said(true, 200, null)).toBe('Test event delivered.');
    expect(said(true, 204, 'Google does not check the keys.')).toBe(
      'Test event delivered. Google does not check the keys.',
    );
    expect(said(false, 400, 'Invalid API key')).toBe('Amplitude answered 400: Invalid API key.');
    expect(said(false, 503, '')).toBe('Amplitude answered 503.');
    expect(said(false, null, 'The connection was refused.')).toBe('The connection was refused.');
    expect(said(false, null, null)).toBe('Amplitude did not answer.');
  });
});
