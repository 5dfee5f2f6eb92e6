import type { Form } from '../../frame/forms/use-form.js';
import { Disclosure } from '../../ui/disclosure.js';
import { FieldError } from '../../ui/forms/field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { kindName } from '../kind-names.js';
import type { DestinationForm } from './destination-form.js';
import type { MapSetting } from './settings-schema.js';

interface TokenMapProps {
  form: Form<DestinationForm>;
  /** Name of the setting. */
  name: string;
  setting: MapSetting;
  label: string;
  values: Record<string, string>;
}

/** A text for each of the names of a setting, such as a token for each kind of event. */
export function TokenMap({ form, name, setting, label, values }: TokenMapProps) {
  const path = `settings.${name}` as const;
  const keys = Object.keys(setting.properties ?? {});
  const count = keys.filter((key) => values[key]?.trim()).length;
  const error = form.errorAt(path);
  const hasError = error !== null || keys.some((key) => form.errorAt(`${path}.${key}`) !== null);
  return (
    <Disclosure title={label} note={count === 0 ? 'None' : `${count} of ${keys.length}`} isForced={hasError}>
      <p className="text-sm text-muted">A kind of event without a token is not sent.</p>
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      <div className="grid gap-3 sm:grid-cols-2">
        {keys.map((key) => (
          <TextField
            key={key}
            label={kindName(key)}
            mono
            autoComplete="off"
            value={values[key] ?? ''}
            onChange={({ target }) => form.set(`${path}.${key}`, target.value)}
            error={form.errorAt(`${path}.${key}`)}
          />
        ))}
      </div>
    </Disclosure>
  );
}
