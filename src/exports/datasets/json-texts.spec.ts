import { attributesText, keyText, remembering } from './json-texts.js';

describe('JSON in data sets', () => {
  it('sorts attributes by code point, each with its value first', () => {
    const json =
      '{"b": {"updated_at_ms": 1, "value": "x"}, "\u{1f600}": {"value": "1"}, "\uffee": {"value": "2"}, "10": {"value": "\\ud800"}, "9": {"value": null}}';
    expect(attributesText(json)).toBe(
      '{"10":{"value":"\ufffd"},"9":{"value":null},"b":{"value":"x","updated_at_ms":1},"\uffee":{"value":"2"},"\u{1f600}":{"value":"1"}}',
    );
  });

  it('keeps an attribute with the name of a prototype', () => {
    expect(attributesText('{"__proto__": {"value": "x"}}')).toBe('{"__proto__":{"value":"x"}}');
  });

  it('orders the members of keys as documented', () => {
    const json =
      '{"store": "stripe", "is_sandbox": false, "renewal_number": 2, "store_transaction_id": "in_2"}';
    expect(keyText(json)).toBe(
      '{"store":"stripe","store_transaction_id":"in_2","renewal_number":2,"is_sandbox":false}',
    );
    expect(keyText('{"id": "cus_1"}')).toBe('{"id":"cus_1"}');
  });

  it('converts equal adjacent texts once', () => {
    let conversions = 0;
    const remembered = remembering((json) => `${json}${++conversions}`);
    expect(['a', 'a', 'b', 'a'].map(remembered)).toEqual(['a1', 'a1', 'b2', 'a3']);
  });
});
