import type { Form } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { KeyFileField } from './key-file-field.js';
import { type FieldName, setupFields } from './setup-fields.js';
import { keyIdOfFile } from './store-file.js';
import { fieldWords } from './field-labels.js';

interface StepFieldProps {
  name: FieldName;
  form: Form<Record<string, string>>;
  label?: string;
}

/** The input for one field of a step. */
export function StepField({ name, form, label }: StepFieldProps) {
  const { kind, optional, idField } = setupFields[name];
  const { options, ...usual } = fieldWords[name];
  const words = { ...usual, label: label ?? usual.label };
  const { onChange, value, error } = form.field(name);
  const control = { ...words, name, value, error, onChange, optional };
  if (kind === 'choice') return <SelectField {...control} options={options ?? []} />;
  if (kind === 'secret') return <SecretField {...control} />;
  if (kind === 'p8' || kind === 'json') {
    return (
      <KeyFileField
        {...words}
        kind={kind}
        value={value ?? ''}
        error={error}
        onRead={(text, fileName) => {
          form.set(name, text);
          const id = idField && keyIdOfFile(fileName);
          if (id) form.set(idField, id);
        }}
      />
    );
  }
  return (
    <TextField {...control} mono autoComplete="off" inputMode={kind === 'number' ? 'numeric' : undefined} />
  );
}
