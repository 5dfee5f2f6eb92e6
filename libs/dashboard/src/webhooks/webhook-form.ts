import type { EventType } from '../api/event-types.js';
import type { Integration } from './webhooks.queries.js';
import type { IntegrationChanges, NewIntegration } from './webhooks.writes.js';

/** Content of the form, as typed. */
export interface WebhookForm {
  name: string;
  url: string;
  /** Null selects all. */
  types: EventType[] | null;
  environment: '' | 'production' | 'sandbox';
  appId: string;
  authorization: string;
  noAuthorization: boolean;
  ordered: boolean;
  customerInfo: boolean;
}

export const emptyForm: WebhookForm = {
  name: '',
  url: '',
  types: null,
  environment: '',
  appId: '',
  authorization: '',
  noAuthorization: false,
  ordered: false,
  customerInfo: false,
};

export const formOf = (integration: Integration): WebhookForm => ({
  ...emptyForm,
  name: integration.name,
  url: integration.url,
  types: integration.event_types.length > 0 ? integration.event_types : null,
  environment: integration.environment ?? '',
  appId: integration.app_id ?? '',
  ordered: integration.ordered,
  customerInfo: integration.include_customer_info,
});

function bodyOf(form: WebhookForm): NewIntegration {
  return {
    name: form.name.trim(),
    url: form.url.trim(),
    event_types: form.types ?? [],
    environment: form.environment || null,
    app_id: form.appId || null,
    ordered: form.ordered,
    include_customer_info: form.customerInfo,
  };
}

export const creation = (form: WebhookForm): NewIntegration => ({
  ...bodyOf(form),
  ...(form.authorization !== '' && { authorization_header: form.authorization }),
});

/** Returns the changed fields. The header is included only if a value was typed or removed. */
export function changes(form: WebhookForm, integration: Integration): IntegrationChanges {
  const before = bodyOf(formOf(integration));
  const changed = Object.entries(bodyOf(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof NewIntegration]),
  );
  const header = form.noAuthorization ? null : form.authorization || undefined;
  return { ...Object.fromEntries(changed), ...(header !== undefined && { authorization_header: header }) };
}
