import type { useFields } from '../../frame/forms/use-fields.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { SecretField, TextField } from '../../ui/forms/text-field.js';
import { KeyFileField } from './key-file-field.js';
import { type FieldName, setupFields } from './setup-fields.js';
import { keyIdOfFile } from './store-file.js';
import { fieldWords } from './field-labels.js';

type Fields = ReturnType<typeof useFields<string>>;

/** The input for one field of a step. */
export function StepField({ name, fields, label }: { name: FieldName; fields: Fields; label?: string }) {
  const { kind, optional, idField } = setupFields[name];
  const { options, ...usual } = fieldWords[name];
  const words = { ...usual, label: label ?? usual.label };
  const { onChange, value, error } = fields.field(name);
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
          fields.set(name, text);
          const id = idField && keyIdOfFile(fileName);
          if (id) fields.set(idField, id);
        }}
      />
    );
  }
  return (
    <TextField {...control} mono autoComplete="off" inputMode={kind === 'number' ? 'numeric' : undefined} />
  );
}
