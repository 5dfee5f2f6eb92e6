import { currencies } from '../../api/currencies.js';
import { usePreferences } from '../../frame/preferences.js';
import { useFormat } from '../../ui/format/format-context.js';
import { formatDateTime } from '../../ui/format/format-time.js';
import { formatNumber } from '../../ui/format/format-number.js';
import { Panel } from '../../ui/panel.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { localeOptions } from './locales.js';

/** An afternoon in a month with one digit, which makes the order of day and month visible. */
const EXAMPLE_MS = Date.UTC(2026, 2, 27, 15, 4);
const EXAMPLE_NUMBER = 12345.6;

export function FormatsPanel() {
  const { preferences, change } = usePreferences();
  const format = useFormat();
  const browser = Intl.DateTimeFormat(navigator.languages as string[]).resolvedOptions();
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return (
    <Panel beside title="Times and numbers">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Time zone"
          hint="Days in charts, periods and exports are always UTC."
          value={preferences.timeZone}
          onChange={(event) => change({ timeZone: event.target.value })}
          options={[
            { value: 'local', label: `This device (${browser.timeZone})` },
            ...zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
          ]}
        />
        <SelectField
          label="Language of numbers and dates"
          value={preferences.locale ?? ''}
          onChange={(event) => change({ locale: event.target.value || null })}
          options={[
            { value: '', label: `Browser default (${browser.locale})` },
            ...localeOptions(preferences.locale),
          ]}
        />
        <SelectField
          label="Display currency"
          hint="Charts are converted to it, each payment at the rate of its day."
          value={preferences.displayCurrency}
          onChange={(event) => change({ displayCurrency: event.target.value })}
          options={currencies.map((value) => ({ value, label: value }))}
        />
        <p className="text-muted tabular-nums sm:col-span-2">
          For example: {formatDateTime(format, EXAMPLE_MS)}, {formatNumber(format.locale, EXAMPLE_NUMBER)}
        </p>
      </div>
    </Panel>
  );
}
