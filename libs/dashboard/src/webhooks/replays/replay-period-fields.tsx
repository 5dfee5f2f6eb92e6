import { RadioCards } from '../../ui/forms/choice.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { Time } from '../../ui/format/time.js';
import type { ReplayForm, ReplayPeriod } from './replay-period.js';

interface ReplayPeriodFieldsProps {
  form: ReplayForm;
  onChange: (form: ReplayForm) => void;
  failingSince: number | null;
  pausedAt: number | null;
  error: string | null;
}

/** Selects the events to resend. */
export function ReplayPeriodFields({
  form,
  onChange,
  failingSince,
  pausedAt,
  error,
}: ReplayPeriodFieldsProps) {
  const options: { value: ReplayPeriod; label: string; hint?: React.ReactNode }[] = [
    { value: 'hour', label: 'Last hour' },
  ];
  if (failingSince !== null)
    options.push({
      value: 'failing',
      label: 'Since it began to fail',
      hint: <Time ms={failingSince} show="full" />,
    });
  if (pausedAt !== null)
    options.push({ value: 'paused', label: 'Since it was paused', hint: <Time ms={pausedAt} show="full" /> });
  options.push({ value: 'own', label: 'Another period' });
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label="Period"
        columns={3}
        value={form.period}
        onChange={(period) => onChange({ ...form, period })}
        options={options}
        error={form.period === 'own' ? null : error}
      />
      {form.period === 'own' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <DateTimeField
            label="From"
            ms={form.fromMs}
            onChange={(fromMs) => onChange({ ...form, fromMs })}
            error={error}
          />
          <DateTimeField
            label="Until"
            hint="Empty means now."
            optional
            ms={form.toMs}
            onChange={(toMs) => onChange({ ...form, toMs })}
          />
        </div>
      )}
    </div>
  );
}
