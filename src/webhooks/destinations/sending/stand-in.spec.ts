import { standInAddress } from './stand-in.js';

const standIn = 'http://127.0.0.1:4000';

describe('the stand-in of the tools', () => {
  it('gives each tool a path of its own and keeps the query', () => {
    expect(standInAddress(standIn, 'mixpanel', 'https://api-eu.mixpanel.com/import?strict=1')).toBe(
      'http://127.0.0.1:4000/mixpanel/import?strict=1',
    );
    expect(standInAddress(standIn, 'posthog', 'https://eu.i.posthog.com/batch/')).toBe(
      'http://127.0.0.1:4000/posthog/batch/',
    );
  });

  it('leaves addresses that a person entered', () => {
    expect(standInAddress(standIn, 'http', 'https://example.com/hook')).toBeNull();
    expect(standInAddress(standIn, 'posthog', 'https://posthog.example.com/batch/')).toBeNull();
  });

  it('replaces nothing unless it is set', () => {
    expect(standInAddress(null, 'segment', 'https://api.segment.io/v1/batch')).toBeNull();
  });
});
