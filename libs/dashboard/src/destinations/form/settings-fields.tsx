import type { Form } from '../../frame/forms/use-form.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextAreaField, TextField } from '../../ui/forms/text-field.js';
import type { DestinationType } from '../destinations.queries.js';
import type { DestinationForm } from './destination-form.js';
import { NamedSecrets } from './named-secrets.js';
import { SecretSetting } from '../../frame/forms/secret-setting.js';
import { isSecret, type Setting, settingsSchemaOf } from './settings-schema.js';
import { TokenMap } from './token-map.js';

interface SettingsFieldsProps {
  form: Form<DestinationForm>;
  type: DestinationType;
  secretsSet: readonly string[];
  /** Whether stored secrets must be entered again. */
  isMoved: boolean;
  disabled: boolean;
}

/** Fields for the settings of a type, in the order of its schema. */
export function SettingsFields({ type, ...shared }: SettingsFieldsProps) {
  const { properties, required } = settingsSchemaOf(type);
  return Object.entries(properties).map(([name, setting]) => (
    <SettingField key={name} {...shared} name={name} setting={setting} isRequired={required.includes(name)} />
  ));
}

type SettingFieldProps = Omit<SettingsFieldsProps, 'type'> & {
  name: string;
  setting: Setting;
  isRequired: boolean;
};

function SettingField(props: SettingFieldProps) {
  const { form, name, setting, isRequired, secretsSet, isMoved, disabled } = props;
  const path = `settings.${name}` as const;
  const value = form.values.settings[name] ?? null;
  const label = setting.title ?? name;
  const field = { label, hint: setting.description, optional: !isRequired };
  const text = {
    name: path,
    value: typeof value === 'string' ? value : '',
    error: form.errorAt(path),
    onChange: ({ target }: { target: { value: string } }) => form.set(path, target.value),
  };
  if (Array.isArray(value))
    return (
      <NamedSecrets form={form} name={name} rows={value} {...field} isMoved={isMoved} disabled={disabled} />
    );
  if (isSecret(setting))
    return (
      <SecretSetting
        {...field}
        isSet={secretsSet.includes(name)}
        isMoved={isMoved}
        value={typeof value === 'string' ? value : null}
        disabled={disabled}
        onChange={(next) => form.set(path, next)}
        error={text.error}
      />
    );
  if (setting.type === 'boolean')
    return <Checkbox label={label} hint={setting.description} {...form.checkbox(path)} />;
  if (setting.type === 'object')
    return (
      <TokenMap
        form={form}
        name={name}
        setting={setting}
        label={label}
        values={typeof value === 'object' && value !== null ? value : {}}
      />
    );
  if (setting.type === undefined)
    return <TextAreaField {...field} optional={false} {...text} mono rows={8} />;
  if (setting.enum)
    return (
      <SelectField
        {...field}
        optional={false}
        {...text}
        placeholder={setting.default === undefined ? 'Choose' : undefined}
        options={setting.enum.map((option) => ({ value: option, label: optionLabel(option) }))}
      />
    );
  return <TextField {...field} {...text} autoComplete="off" mono />;
}

/** Regions have short codes, the other values are names already. */
const optionLabel = (option: string) => regionNames[option] ?? option;

const regionNames: Record<string, string> = {
  us: 'United States',
  eu: 'European Union',
  in: 'India',
  usd: 'US dollars',
  purchased: 'Currency of the purchase',
  json: 'JSON',
  form: 'Form',
};
