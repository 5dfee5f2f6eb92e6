import { changes, creation, emptyForm, formOf } from './webhook-form.js';
import type { Integration } from './webhooks.queries.js';

const integration: Integration = {
  object: 'webhook_integration',
  id: 'wh_1',
  project_id: 'proj_1',
  name: 'Backend',
  url: 'https://acme.example/hook',
  environment: null,
  event_types: ['renewal'],
  app_id: null,
  ordered: false,
  include_customer_info: false,
  created_at: 0,
};

describe('the form of a webhook', () => {
  it('sends a header only if one was typed', () => {
    const form = { ...emptyForm, name: ' Backend ', url: 'https://acme.example' };
    expect(creation(form)).toMatchObject({ name: 'Backend', event_types: [], environment: null });
    expect(creation(form)).not.toHaveProperty('authorization_header');
    expect(creation({ ...form, authorization_header: 'Bearer x' }).authorization_header).toBe('Bearer x');
  });

  it('sends what was changed, and nothing else', () => {
    const form = formOf(integration);
    expect(changes(form, integration)).toEqual({});
    expect(changes({ ...form, ordered: true, event_types: null }, integration)).toEqual({
      ordered: true,
      event_types: [],
    });
    expect(changes({ ...form, authorization_header: 'Bearer y' }, integration)).toEqual({
      authorization_header: 'Bearer y',
    });
    expect(changes({ ...form, noAuthorization: true }, integration)).toEqual({ authorization_header: null });
  });
});
