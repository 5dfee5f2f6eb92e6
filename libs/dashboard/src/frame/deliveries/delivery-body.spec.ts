import { customerOfBody } from './delivery-body.js';

describe('the body of a delivery', () => {
  it('names its customer', () => {
    expect(customerOfBody('{"event":{"app_user_id":"a/b"}}')).toBe('a/b');
    expect(customerOfBody('{"event":{"app_user_id":7}}')).toBeNull();
    expect(customerOfBody('{}')).toBeNull();
    expect(customerOfBody('null')).toBeNull();
  });
});
