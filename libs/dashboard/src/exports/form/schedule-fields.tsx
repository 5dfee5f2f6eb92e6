import type { Form } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { timeZoneOptions } from '../../ui/forms/time-zone-options.js';
import { type ExportForm, hasTime } from './export-form.js';
import { weekdays } from './schedule-text.js';

const days = Array.from({ length: 28 }, (_, index) => {
  const value = String(index + 1);
  return { value, label: value };
});

/** When an export runs. */
export function ScheduleFields({ form }: { form: Form<ExportForm> }) {
  const { field, values } = form;
  const { schedule } = values;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField
        label="When"
        {...field('schedule.frequency')}
        options={[
          { value: 'hourly', label: 'Every hour' },
          { value: 'daily', label: 'Every day' },
          { value: 'weekly', label: 'Every week' },
          { value: 'monthly', label: 'Every month' },
          { value: 'manual', label: 'On request', hint: 'Runs only when you press “Run now”.' },
        ]}
      />
      {schedule.frequency === 'weekly' && (
        <SelectField label="Weekday" {...field('schedule.weekday')} options={weekdays} />
      )}
      {schedule.frequency === 'monthly' && (
        <SelectField label="Day of the month" {...field('schedule.day')} options={days} />
      )}
      {hasTime(schedule) && (
        <>
          <TextField label="Time" type="time" required {...field('schedule.at')} />
          <SelectField
            label="Time zone"
            {...field('schedule.time_zone')}
            options={timeZoneOptions(schedule.time_zone)}
          />
        </>
      )}
    </div>
  );
}
