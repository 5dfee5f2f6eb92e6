import type { Form } from '../../frame/forms/use-form.js';
import { Button, IconButton } from '../../ui/button.js';
import { FieldError } from '../../ui/forms/field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { DestinationForm, NamedSecret } from './destination-form.js';
import { SecretSetting } from '../../frame/forms/secret-setting.js';

interface NamedSecretsProps {
  form: Form<DestinationForm>;
  /** Name of the setting. */
  name: string;
  label: string;
  hint?: string;
  rows: NamedSecret[];
  isMoved: boolean;
  disabled: boolean;
}

/** Names with secret values, such as headers. */
export function NamedSecrets({ form, name, label, hint, rows, isMoved, disabled }: NamedSecretsProps) {
  const path = `settings.${name}` as const;
  const setRow = (index: number, changes: Partial<NamedSecret>) =>
    form.set(
      path,
      rows.map((row, other) => (other === index ? { ...row, ...changes } : row)),
    );
  const error = form.errorAt(path);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 font-medium">
        {label}
        <span className="ms-0.5 text-xs font-normal text-muted"> optional</span>
      </legend>
      {rows.map((row, index) => (
        <div key={index} className="grid items-start gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)_auto]">
          <TextField
            label="Name"
            mono
            value={row.name}
            readOnly={row.isSet}
            onChange={({ target }) => setRow(index, { name: target.value })}
            error={form.errorAt(`${path}.${index}.name`)}
          />
          <SecretSetting
            label={row.isSet ? `Value of ${row.name}` : 'Value'}
            optional={row.isSet}
            isSet={row.isSet}
            isMoved={isMoved}
            value={row.isRemoved ? null : row.value}
            disabled={disabled}
            onChange={(value) => setRow(index, { value: value ?? '', isRemoved: value === null })}
            error={form.errorAt(`${path}.${index}.value`)}
          />
          {!row.isSet && (
            <IconButton
              icon="trash"
              label="Remove this header"
              className="sm:mt-6"
              onClick={() =>
                form.set(
                  path,
                  rows.filter((_, other) => other !== index),
                )
              }
            />
          )}
        </div>
      ))}
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      <div>
        <Button
          size="sm"
          icon="plus"
          onClick={() => form.set(path, [...rows, { name: '', value: '', isSet: false, isRemoved: false }])}
        >
          Add a header
        </Button>
      </div>
      {hint && <p className="text-sm text-muted">{hint}</p>}
    </fieldset>
  );
}
