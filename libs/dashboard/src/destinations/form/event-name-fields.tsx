import type { Form } from '../../frame/forms/use-form.js';
import { Disclosure } from '../../ui/disclosure.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FieldError } from '../../ui/forms/field.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { DestinationType } from '../destinations.queries.js';
import { kindName } from '../kind-names.js';
import type { DestinationForm } from './destination-form.js';

/** Meta knows only these events. */
const metaNames = [
  'StartTrial',
  'Subscribe',
  'Purchase',
  'AddPaymentInfo',
  'CompleteRegistration',
  'Lead',
  'ViewContent',
];

interface EventNameFieldsProps {
  form: Form<DestinationForm>;
  type: DestinationType;
}

/** The tool's name of each kind of event, or whether a chat gets it. */
export function EventNameFields({ form, type }: EventNameFieldsProps) {
  const kinds = Object.entries(form.values.event_names);
  if (kinds.length === 0) return null;
  const isChat = type.category === 'chat';
  const sent = kinds.filter(([, name]) => name !== false && name !== '').length;
  const error = form.errorAt('event_names');
  const hasError = error !== null || kinds.some(([kind]) => form.errorAt(`event_names.${kind}`) !== null);
  return (
    <Disclosure
      title={isChat ? 'Events' : 'Event names'}
      note={`${sent} of ${kinds.length} kinds are sent`}
      isForced={hasError}
    >
      {!isChat && <p className="text-sm text-muted">An event without a name is not sent.</p>}
      {error && <FieldError id="event-names-error">{error}</FieldError>}
      <div className="grid gap-3 sm:grid-cols-2">
        {type.events
          .filter(({ kind }) => kind in form.values.event_names)
          .map(({ kind, default_name: byDefault }) => {
            const path = `event_names.${kind}` as const;
            const name = form.values.event_names[kind];
            const text = {
              label: kindName(kind),
              value: typeof name === 'string' ? name : '',
              error: form.errorAt(path),
              onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
            };
            if (isChat)
              return (
                <Checkbox
                  key={kind}
                  label={kindName(kind)}
                  hint={byDefault ? `“Customer ${byDefault}”` : undefined}
                  {...form.checkbox(path)}
                />
              );
            return type.id === 'meta' ? (
              <SelectField
                key={kind}
                {...text}
                placeholder="Not sent"
                options={metaNames.map((value) => ({ value, label: value }))}
              />
            ) : (
              <TextField
                key={kind}
                {...text}
                placeholder="Not sent"
                autoComplete="off"
                mono
                maxLength={255}
              />
            );
          })}
      </div>
    </Disclosure>
  );
}
