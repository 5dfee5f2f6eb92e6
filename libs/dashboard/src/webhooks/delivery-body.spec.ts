import { customerOfBody, prettyJson } from './delivery-body.js';

describe('the body of a delivery', () => {
  it('is written with line breaks if it is JSON', () => {
    expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(prettyJson('<b>no</b>')).toBe('<b>no</b>');
  });

  it('names its customer', () => {
    expect(customerOfBody('{"event":{"app_user_id":"a/b"}}')).toBe('a/b');
    expect(customerOfBody('{"event":{"app_user_id":7}}')).toBeNull();
    expect(customerOfBody('{}')).toBeNull();
    expect(customerOfBody('null')).toBeNull();
  });
});
