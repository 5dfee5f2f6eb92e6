import type { EventType } from '../api/event-types.js';
import type { Integration } from './webhooks.queries.js';
import type { IntegrationChanges, NewIntegration } from './webhooks.writes.js';

/** Content of the form, as typed. */
export interface WebhookForm {
  name: string;
  url: string;
  /** Null selects all. */
  event_types: EventType[] | null;
  environment: '' | 'production' | 'sandbox';
  app_id: string;
  authorization_header: string;
  noAuthorization: boolean;
  ordered: boolean;
  include_customer_info: boolean;
}

export const emptyForm: WebhookForm = {
  name: '',
  url: '',
  event_types: null,
  environment: '',
  app_id: '',
  authorization_header: '',
  noAuthorization: false,
  ordered: false,
  include_customer_info: false,
};

export const formOf = (integration: Integration): WebhookForm => ({
  ...emptyForm,
  name: integration.name,
  url: integration.url,
  event_types: integration.event_types.length > 0 ? integration.event_types : null,
  environment: integration.environment ?? '',
  app_id: integration.app_id ?? '',
  ordered: integration.ordered,
  include_customer_info: integration.include_customer_info,
});

/** Validates before anything is sent. */
export const problemsOf = ({ event_types: types }: WebhookForm) => ({
  event_types: types?.length === 0 ? 'Choose at least one type.' : null,
});

function bodyOf(form: WebhookForm): NewIntegration {
  return {
    name: form.name.trim(),
    url: form.url.trim(),
    event_types: form.event_types ?? [],
    environment: form.environment || null,
    app_id: form.app_id || null,
    ordered: form.ordered,
    include_customer_info: form.include_customer_info,
  };
}

export const creation = (form: WebhookForm): NewIntegration => ({
  ...bodyOf(form),
  ...(form.authorization_header !== '' && { authorization_header: form.authorization_header }),
});

/** Returns the changed fields. The header is included only if a value was typed or removed. */
export function changes(form: WebhookForm, integration: Integration): IntegrationChanges {
  const before = bodyOf(formOf(integration));
  const changed = Object.entries(bodyOf(form)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof NewIntegration]),
  );
  const header = form.noAuthorization ? null : form.authorization_header || undefined;
  return { ...Object.fromEntries(changed), ...(header !== undefined && { authorization_header: header }) };
}
