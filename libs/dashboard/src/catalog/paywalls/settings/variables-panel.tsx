import { DataText } from '../../../ui/text/data-text.js';
import type { PaywallSettings } from '../paywall.types.js';
import { SettingsPanel } from './settings-panel.js';
import { type CustomVariable, VariableDialog, variableTypes } from './variable-dialog.js';

const valueText = ({ default_value: value }: CustomVariable): string =>
  typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value);

/** Values that apps set, by the names that texts and conditions use. */
export function VariablesPanel({ projectId, settings }: { projectId: string; settings: PaywallSettings }) {
  return (
    <SettingsPanel<CustomVariable>
      {...{ projectId, settings }}
      field="custom_variables"
      title="Custom variables"
      description="Values that the app sets, for texts and conditions."
      add="Add variable"
      columns={[
        {
          id: 'type',
          header: 'Type',
          width: '12rem',
          priority: 2,
          cell: ([, { type }]) => variableTypes[type],
        },
        {
          id: 'value',
          header: 'Default value',
          width: '12rem',
          priority: 2,
          cell: ([, value]) => <DataText truncate>{valueText(value)}</DataText>,
        },
      ]}
      dialog={(name, onClose) => <VariableDialog {...{ projectId, settings, name, onClose }} />}
    />
  );
}
