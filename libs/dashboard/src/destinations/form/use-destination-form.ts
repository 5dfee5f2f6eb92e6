import type { CallError } from '../../api/call-error.js';
import { type Form, useForm } from '../../frame/forms/use-form.js';
import type { Destination, DestinationType } from '../destinations.queries.js';
import { type DestinationForm, formOf, pathOfError } from './destination-form.js';
import { problemsOfSettings } from './settings-check.js';
import { isMoved } from './settings-schema.js';

interface DestinationFormOptions {
  type: DestinationType;
  /** Null for a new destination. */
  stored: Destination | null;
  write: { error: CallError | null; isPending: boolean };
  onSubmit: (values: DestinationForm) => void;
}

/** The state of a destination's form, and whether its stored secrets must be entered again. */
export function useDestinationForm({ type, stored, write, onSubmit }: DestinationFormOptions): {
  form: Form<DestinationForm>;
  hasMoved: boolean;
} {
  const movedBy = ({ settings }: DestinationForm) => stored !== null && isMoved(stored.settings, settings);
  const form = useForm<DestinationForm>({
    initial: formOf(type, stored),
    check: (values) => ({
      name: values.name.trim() === '' ? 'Enter a name.' : null,
      send_from: values.start === 'date' && values.send_from === null ? 'Choose a time.' : null,
      event_types: values.event_types?.length === 0 ? 'Choose at least one type.' : null,
      ...problemsOfSettings(type, values, {
        secretsSet: stored?.secrets_set ?? [],
        isMoved: movedBy(values),
      }),
    }),
    write,
    paramOf: ({ param }, values) => pathOfError(values, param),
    onSubmit,
  });
  return { form, hasMoved: movedBy(form.values) };
}
