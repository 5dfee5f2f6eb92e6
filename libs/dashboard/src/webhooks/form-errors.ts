import type { CallError } from '../api/call-error.js';
import type { WebhookForm } from './webhook-form.js';

const params = ['name', 'url', 'event_types', 'environment', 'app_id', 'authorization_header'];

const fieldOf = (error: CallError | null) => params.find((name) => error?.param?.split('.')[0] === name);

/** Error of a field: the server's, or that of the one rule that only the form checks. */
export function errorAt(error: CallError | null, form: WebhookForm, isChecked: boolean) {
  return (param: string): string | null => {
    if (param === 'event_types' && isChecked && form.types?.length === 0) return 'Choose at least one type.';
    return error && fieldOf(error) === param ? error.message : null;
  };
}

/** Error of the whole form. */
export const wholeError = (error: CallError | null): string | null =>
  error && !fieldOf(error) ? error.message : null;
