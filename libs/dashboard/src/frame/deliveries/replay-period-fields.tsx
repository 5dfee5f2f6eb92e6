import type { Form } from '../forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import { Time } from '../../ui/format/time.js';
import type { ReplayForm, ReplayPeriod } from './replay-period.js';

interface ReplayPeriodFieldsProps {
  form: Form<ReplayForm>;
  failingSince: number | null;
  pausedAt: number | null;
}

/** Selects the events to resend. */
export function ReplayPeriodFields({ form, failingSince, pausedAt }: ReplayPeriodFieldsProps) {
  const isOwn = form.values.period === 'own';
  const rangeError = form.errorAt('from') ?? form.errorAt('to');
  const options: { value: ReplayPeriod; label: string; hint?: React.ReactNode }[] = [
    { value: 'hour', label: 'Last hour' },
  ];
  if (failingSince !== null)
    options.push({
      value: 'failing',
      label: 'Since it started failing',
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
        options={options}
        {...form.control('period')}
        error={isOwn ? null : rangeError}
      />
      {isOwn && (
        <div className="grid gap-4 sm:grid-cols-2">
          <DateTimeField label="From" {...form.control('from')} error={rangeError} />
          <DateTimeField
            label="Until"
            hint="Empty means now."
            optional
            {...form.control('to')}
            error={null}
          />
        </div>
      )}
    </div>
  );
}
