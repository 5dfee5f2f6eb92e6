import {
  deliveryBody,
  MASK,
  MAX_BODY_BYTES,
  maskedHeaders,
  maskSecrets,
  signedHeaders,
} from './delivery-request.js';

const secrets = { signing: ['whsec_bmV3', 'whsec_b2xk'], authorization: 'Bearer token-1' };

describe('the body of a delivery', () => {
  it('holds the recorded text as it is, with customer info where that is wanted', () => {
    expect(deliveryBody('{ "a":1.0}', null)).toBe('{"api_version":"1.0","event":{ "a":1.0}}');
    expect(deliveryBody('{}', '{"b":2}')).toBe('{"api_version":"1.0","event":{},"customer_info":{"b":2}}');
  });

  it('leaves customer info out that would make it too large', () => {
    const info = JSON.stringify('ü'.repeat(MAX_BODY_BYTES / 2));
    expect(deliveryBody('{}', info)).toBe('{"api_version":"1.0","event":{},"customer_info":null}');
  });
});

describe('headers for people', () => {
  it('names the same headers as the request, without a secret or a signature in them', () => {
    const sent = signedHeaders({ eventId: 'E', replay: true }, secrets, 17, '{}');
    const shown = maskedHeaders({ eventId: 'E', replay: true, hasAuthorization: true }, 17);
    expect(Object.keys(shown)).toEqual(Object.keys(sent));
    expect(shown).toMatchObject({
      authorization: MASK,
      'webhook-id': 'E',
      'webhook-timestamp': '17',
      'webhook-signature': `v1,${MASK}`,
      'x-service-webhook-signature': `t=17,v1=${MASK}`,
      'x-revenuecat-webhook-signature': `t=17,v1=${MASK}`,
    });
  });

  it('leaves out authorization where none is sent', () => {
    expect(maskedHeaders({ eventId: 'E', replay: false, hasAuthorization: false }, null)).not.toHaveProperty(
      'authorization',
    );
  });
});

describe('masking', () => {
  it.each([
    ['Authorization: Bearer token-1', `Authorization: ${MASK}`],
    ['{"token":"token-1","again":"token-1"}', `{"token":"${MASK}","again":"${MASK}"}`],
    ['signed with whsec_b2xk', `signed with ${MASK}`],
    ['the key is bmV3', `the key is ${MASK}`],
    ['nothing to hide', 'nothing to hide'],
  ])('%j is shown as %j', (text, shown) => {
    expect(maskSecrets(text, secrets)).toBe(shown);
  });

  it('leaves the text alone if the secret is almost empty', () => {
    expect(maskSecrets('a text', { signing: [], authorization: 'a' })).toBe('a text');
  });
});
