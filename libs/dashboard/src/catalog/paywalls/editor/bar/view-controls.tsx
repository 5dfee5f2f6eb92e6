import { IconButton } from '../../../../ui/button.js';
import { SelectInput } from '../properties/editors/select-input.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import { type Device, devices } from '../devices.js';

export interface View {
  device: Device;
  isDark: boolean;
}

interface ViewControlsProps {
  view: View;
  onChange: (view: View) => void;
}

const deviceOptions = Object.entries(devices).map(([value, { label }]) => ({ value, label }));

/** Choices of the phone, light or dark, and the language of the preview. */
export function ViewControls({ view, onChange }: ViewControlsProps) {
  const { document, locale, setLocale } = usePaywallDocument();
  const locales = Object.keys(document.components_localizations);
  return (
    <span className="flex items-center gap-1.5">
      <span className="w-30">
        <SelectInput
          label="Phone"
          options={deviceOptions}
          value={view.device}
          onChange={(device) => onChange({ ...view, device: device as Device })}
          disabled={false}
        />
      </span>
      <span className="w-24">
        <SelectInput
          label="Language"
          options={locales.map((value) => ({ value, label: value }))}
          value={locale}
          onChange={setLocale}
          disabled={false}
        />
      </span>
      <IconButton
        size="sm"
        icon={view.isDark ? 'moon' : 'sun'}
        label="Dark screen"
        aria-pressed={view.isDark}
        onClick={() => onChange({ ...view, isDark: !view.isDark })}
      />
    </span>
  );
}
