import { ApiError, errorKinds } from './api-error.js';
import { v1Codes } from './v1-codes.js';

/** Codes that both mobile SDKs map. They are part of the API: none may be removed or change its meaning. */
const known = [
  7000, 7012, 7101, 7102, 7103, 7104, 7105, 7106, 7107, 7110, 7220, 7224, 7225, 7226, 7229, 7230, 7231, 7232,
  7234, 7255, 7256, 7259, 7263, 7264, 7629, 7638, 7651, 7662, 7712, 7772, 7773, 7814, 7834, 7849, 7852, 7853,
  7877, 7878, 7879, 7898, 7899, 7900, 7901, 7967, 7981, 8077,
];

describe('the codes of the SDK format', () => {
  it('lists all of them', () => {
    expect(Object.keys(v1Codes).map(Number)).toEqual(known);
  });

  it.each(errorKinds)('assigns an error of the kind %s a status that belongs to its code', (kind) => {
    const error = new ApiError(kind, 'x');
    expect(v1Codes[error.code].statuses).toContain(error.v1Status);
  });

  it('sends kinds that only REST v2 distinguishes as 400, or as 503 if a retry helps', () => {
    const distinguished = errorKinds.filter((kind) =>
      [409, 422, 423].includes(new ApiError(kind, 'x').v1Status),
    );
    // No stock SDK spends currency yet, so these two need not resemble older errors.
    expect(distinguished).toEqual(['idempotency', 'balance_too_low']);
    // For a project in another region, backends follow its URL, but SDKs must retry so that they do not finish a
    // purchase.
    for (const kind of errorKinds.filter((one) => one !== 'misdirected')) {
      const error = new ApiError(kind, 'x');
      expect([kind, error.v1Status >= 500 || error.v1Status === 429]).toEqual([kind, error.retryable]);
    }
  });
});
