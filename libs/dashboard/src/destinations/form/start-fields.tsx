import type { Form } from '../../frame/forms/use-form.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { DateTimeField } from '../../ui/forms/date-time-field.js';
import type { DestinationForm } from './destination-form.js';

const HINT =
  'If the tool gets these events from elsewhere today, choose the time when that ends. Otherwise events are counted twice.';

interface StartFieldsProps {
  form: Form<DestinationForm>;
  isNew: boolean;
}

/** The time from which on events are sent. */
export function StartFields({ form, isNew }: StartFieldsProps) {
  const date = { value: form.values.send_from, onChange: (ms: number | null) => form.set('send_from', ms) };
  const error = form.errorAt('send_from');
  if (!isNew) return <DateTimeField label="Send events from" hint={HINT} {...date} error={error} />;
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label="Start"
        columns={2}
        {...form.control('start')}
        options={[
          { value: 'now', label: 'From now on' },
          { value: 'date', label: 'From a date', hint: HINT },
        ]}
      />
      {form.values.start === 'date' && <DateTimeField label="Send events from" {...date} error={error} />}
    </div>
  );
}
