import { actionWords, pageOfTarget } from './audit-words.js';

describe('an entry of the audit log', () => {
  it.each([
    ['entitlement_products_attached', 'Entitlement products attached'],
    ['api_key_created', 'API key created'],
  ])('says what was done: %s', (action, words) => {
    expect(actionWords(action)).toBe(words);
  });

  it.each([
    [{ type: 'app', id: 'app1', action: 'app_updated' }, '/apps/app1'],
    [{ type: 'customer', id: 'a/b', action: 'customer_created' }, '/customer?id=a%2Fb'],
    [{ type: 'customer', id: 'a', action: 'customer_deleted' }, null],
    [{ type: 'api_key', id: 'k', action: 'api_key_created' }, '/settings/keys'],
    [{ type: 'experiment', id: 'e1', action: 'experiment_updated' }, '/experiments/e1'],
    [{ type: 'experiment', id: 'proj1', action: 'experiment_reordered' }, null],
    [{ type: 'package', id: 'p', action: 'package_created' }, null],
  ])('leads to what was changed, if it has a page: %j', (target, page) => {
    expect(pageOfTarget(target)).toBe(page);
  });
});
