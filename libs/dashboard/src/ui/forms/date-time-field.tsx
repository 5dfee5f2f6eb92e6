import { useState } from 'react';
import { cx } from '../cx.js';
import { controlClass, Field, type FieldProps } from './field.js';
import { useFormat } from '../format/format-context.js';
import { localToMs, msToLocal } from './zoned-input.js';

interface DateTimeFieldProps extends FieldProps {
  /** In milliseconds. */
  value: number | null;
  onChange: (ms: number | null) => void;
}

/** A date and time in the person's time zone, which is named below. */
export function DateTimeField({ value: ms, onChange, hint, ...field }: DateTimeFieldProps) {
  const { timeZone } = useFormat();
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && localToMs(typed, timeZone) === ms ? typed : msToLocal(ms, timeZone);
  return (
    <Field
      {...field}
      hint={
        <>
          {hint} {`Time zone: ${timeZone}`}
        </>
      }
    >
      {(ids) => (
        <input
          {...ids}
          type="datetime-local"
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(localToMs(target.value, timeZone));
          }}
          className={cx(controlClass, 'h-8')}
        />
      )}
    </Field>
  );
}
