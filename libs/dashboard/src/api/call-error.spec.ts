import { asCallError, CallError, errorOf } from './call-error.js';

const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
});

describe('an error answer', () => {
  it('keeps message, field, documentation and request id of REST v2', () => {
    const body = {
      object: 'error',
      type: 'parameter_error',
      message: 'name is too long.',
      param: 'name',
      doc_url: 'https://tenure.example/docs/errors#parameter_error',
      retryable: false,
    };
    expect(errorOf(answer(400, { 'x-request-id': 'req_1' }), body)).toMatchObject({
      status: 400,
      type: 'parameter_error',
      message: 'name is too long.',
      param: 'name',
      docUrl: 'https://tenure.example/docs/errors#parameter_error',
      retryable: false,
      requestId: 'req_1',
    });
  });

  it('reads from account routes when to try again', () => {
    const body = { type: 'rate_limit', message: 'Too many.', retry_after: 30 };
    expect(errorOf(answer(429), body)).toMatchObject({ retryable: true, retryAfterS: 30 });
  });

  it.each([
    [{ 'retry-after': '7' }, { backoff_ms: 1500 }, 7],
    [{}, { backoff_ms: 1500 }, 2],
    [{}, {}, null],
  ])('waits by header, then body: %j %j', (headers, body, seconds) => {
    expect(errorOf(answer(503, headers as Record<string, string>), body).retryAfterS).toBe(seconds);
  });

  it.each(['<html>Bad gateway</html>', null, undefined, 5, []])(
    "treats a proxy's answer as an error: %j",
    (body) => {
      expect(errorOf(answer(502), body)).toMatchObject({
        status: 502,
        retryable: true,
        message: 'The server answered 502 without saying why.',
      });
    },
  );

  it('stays itself', () => {
    const error = new CallError('x', { status: 404 });
    expect(asCallError(error)).toBe(error);
    expect(asCallError(new TypeError('boom'))).toMatchObject({ status: 0, message: 'boom' });
  });
});
