import type { ApiError } from '../../platform/http/errors/api-error.js';
import { checkedAttributes } from './attribute.dto.js';
import { readAttribution } from './attribution.js';
import { readAttributesBody, readSdkAttributes } from './sdk-attributes.js';

const device = { $ip: '192.0.2.7', $deviceVersion: '17.2', $idfv: null };
const read = (attributes: Record<string, unknown>) => readSdkAttributes(attributes, device);
const problem = (name: string, entry: unknown): string | undefined =>
  read({ [name]: entry }).errors[0]?.message;

/** Returns the error that a reader throws. */
function refusal(read: () => unknown): Partial<ApiError> {
  try {
    read();
  } catch (error) {
    return error as ApiError;
  }
  return {};
}

describe('attributes as the SDKs send them', () => {
  it.each<[string, unknown, string]>([
    ['two words', { value: 'x' }, 'Key name format is not valid.'],
    ['a'.repeat(41), { value: 'x' }, 'Key name format is not valid.'],
    ['', { value: 'x' }, 'Key name format is not valid.'],
    ['.', { value: 'x' }, 'Key name format is not valid.'],
    ['..', { value: '' }, 'Key name format is not valid.'],
    ['$two words', { value: '' }, 'Key name format is not valid.'],
    ['a\u0000b', { value: 'x' }, 'Key name format is not valid.'],
    ['$email', { value: 'nobody' }, 'Value is not a valid email address.'],
    ['note', { value: 'x'.repeat(501) }, 'Value is too long.'],
    ['note', { value: 'a\u0000b' }, 'Value holds a character that cannot be stored.'],
    ['note', { value: 7 }, 'Value must be a string.'],
    ['note', { value: 'x', updated_at_ms: 'yesterday' }, 'updated_at_ms must be an integer.'],
    ['note', 'x', 'Attribute must be an object with a value.'],
  ])('%j %j is refused alone', (name, entry, message) => {
    expect(problem(name, entry)).toBe(message);
    const { inputs, errors } = read({ [name]: entry, $displayName: { value: 'Zoë' } });
    expect([inputs.map((input) => input.name), errors.length]).toEqual([['$displayName'], 1]);
  });

  it.each([
    ['a', 'x'],
    ['a.b:c-d_e', 'x'],
    ['größe', 'x'],
    ['note', '😀'.repeat(500)],
    ['$intercomContactId', 'contact-7'],
    ['$nameOfALaterVersion', 'x'],
  ])('%j is taken', (name, value) => {
    expect(read({ [name]: { value, updated_at_ms: 1 } })).toEqual({
      inputs: [{ name, value, updatedAtMs: 1 }],
      errors: [],
    });
  });

  it('deletes for an empty text, null and no value', () => {
    const { inputs } = read({
      a: { value: '' },
      b: { value: null },
      c: {},
      $ofALaterVersion: { value: '' },
    });
    expect(inputs.map(({ value }) => value)).toEqual([null, null, null, null]);
  });

  it('fills in values that the SDK only references, if the server knows them', () => {
    const { inputs } = read({
      $ip: { value: 'true' },
      $deviceVersion: { value: 'true' },
      $idfv: { value: 'an-id' },
      custom: { value: 'true' },
    });
    expect(inputs.map(({ value }) => value)).toEqual(['192.0.2.7', '17.2', 'an-id', 'true']);
  });

  it('ignores referenced values that the request does not contain', () => {
    const inputs = readSdkAttributes(
      { $deviceVersion: { value: 'true' }, $idfv: { value: 'true', updated_at_ms: 5 }, a: { value: 'b' } },
      { $ip: null, $deviceVersion: null, $idfv: null },
    );
    expect(inputs).toEqual({ inputs: [{ name: 'a', value: 'b', updatedAtMs: null }], errors: [] });
  });

  it.each([undefined, null, [], {}, { attributes: [] }, { attributes: { a: 'x' } }])(
    'rejects the malformed body %j',
    (body) => {
      expect(refusal(() => readAttributesBody(body, device)).code).toBe(7264);
    },
  );
});

describe('attributes as backends send them', () => {
  it.each([
    [[{ name: '1st', value: 'x' }], 'attributes.0.name'],
    [[{ name: '$notKnown', value: 'x' }], 'attributes.0.name'],
    [
      [
        { name: 'ok', value: 'x' },
        { name: '$email', value: 'nobody' },
      ],
      'attributes.1.value',
    ],
  ])('%j names the field', (attributes, param) => {
    expect(refusal(() => checkedAttributes(attributes)).details).toMatchObject({ param });
  });
});

describe('attribution of a network', () => {
  it('becomes attributes, with the id at the network', () => {
    const data = { rc_idfa: 'idfa', rc_attribution_network_id: 'af-1', media_source: 'web', campaign: 'May' };
    expect(readAttribution({ network: 2, data }).map(({ name, value }) => [name, value])).toEqual([
      ['$idfa', 'idfa'],
      ['$mediaSource', 'web'],
      ['$campaign', 'May'],
      ['$appsflyerId', 'af-1'],
    ]);
  });

  it("finds Apple's fields in their versioned object", () => {
    const data = { 'Version3.1': { 'iad-campaign-name': 'Launch', 'iad-keyword': 'notes' } };
    expect(readAttribution({ network: '0', data }).map(({ name, value }) => [name, value])).toEqual([
      ['$campaign', 'Launch'],
      ['$keyword', 'notes'],
    ]);
  });

  it.each([{}, { network: 1 }, { network: 'x', data: {} }, { network: 1, data: [] }])(
    '%j is a 400',
    (body) => {
      expect(refusal(() => readAttribution(body)).status).toBe(400);
    },
  );
});
