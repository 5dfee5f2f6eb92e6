import { useForm } from '../../../frame/forms/use-form.js';
import { SelectField } from '../../../ui/forms/select-field.js';
import { NumberField, TextField } from '../../../ui/forms/text-field.js';
import type { PaywallSettings } from '../paywall.types.js';
import { useUpdatePaywallSettings } from '../paywalls.queries.js';
import { SettingDialog } from './setting-dialog.js';
import { nameProblem, withSetting } from './setting-names.js';

interface VariableDialogProps {
  projectId: string;
  settings: PaywallSettings;
  /** Null adds a variable. */
  name: string | null;
  onClose: () => void;
}

export interface CustomVariable {
  type: 'string' | 'number' | 'boolean';
  default_value: string | number | boolean;
}

export const variableTypes: Record<CustomVariable['type'], string> = {
  string: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
};

function valueOf(type: string, typed: string): CustomVariable['default_value'] {
  if (type === 'number') return Number(typed);
  return type === 'boolean' ? typed === 'true' : typed;
}

export function VariableDialog({ projectId, settings, name, onClose }: VariableDialogProps) {
  const update = useUpdatePaywallSettings(projectId);
  const present = name === null ? null : (settings.custom_variables[name] as CustomVariable);
  const initial = {
    name: '',
    type: present?.type ?? 'string',
    value: String(present?.default_value ?? ''),
  };
  const bodyOf = ({ name: typed, type, value }: typeof initial) =>
    withSetting(settings, 'custom_variables', name ?? typed.trim(), {
      type,
      default_value: valueOf(type, value),
    });
  const form = useForm({
    initial,
    check: ({ name: typed, type, value }) => ({
      name: name === null ? nameProblem(settings, 'custom_variables', typed.trim()) : null,
      value:
        type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))
          ? 'Enter a number.'
          : null,
    }),
    write: update,
    onSubmit: (values) => update.mutate(bodyOf(values), { onSuccess: onClose }),
  });
  const { type } = form.values;
  const valueField = {
    label: 'Default value',
    hint: 'For apps that set none.',
    ...form.field('value'),
  };
  return (
    <SettingDialog
      {...{ projectId, name, form, onClose }}
      thing="variable"
      nameField={{
        label: 'Name',
        mono: true,
        hint: 'Texts show it as {{ custom.name }}.',
        ...form.field('name'),
      }}
      body={bodyOf(form.values)}
    >
      <SelectField
        label="Type"
        options={Object.entries(variableTypes).map(([value, label]) => ({ value, label }))}
        {...form.field('type')}
      />
      {type === 'string' && <TextField maxLength={500} autoComplete="off" {...valueField} />}
      {type === 'number' && <NumberField {...valueField} />}
      {type === 'boolean' && (
        <SelectField
          {...valueField}
          value={valueField.value === 'true' ? 'true' : 'false'}
          options={[
            { value: 'true', label: 'Yes' },
            { value: 'false', label: 'No' },
          ]}
        />
      )}
    </SettingDialog>
  );
}
