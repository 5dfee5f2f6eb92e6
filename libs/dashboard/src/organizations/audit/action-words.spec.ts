import { actionWords, pageOfTarget } from './action-words.js';

describe('an entry of the audit log of an organization', () => {
  it.each([
    ['sso_sign_in_failed', 'SSO sign in failed'],
    ['scim_user_created', 'SCIM user created'],
    ['member_role_changed', 'Member role changed'],
  ])('says what was done: %s', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it.each([
    ['sso_connection', 'sso_connection_updated', '/sso/x'],
    ['sso_connection', 'sso_connection_deleted', null],
    ['something', 'something_done', null],
  ])('leads to what was changed, if it has a page: %s %s', (type, action, page) => {
    expect(pageOfTarget({ type, id: 'x' }, action)).toBe(page);
  });
});
