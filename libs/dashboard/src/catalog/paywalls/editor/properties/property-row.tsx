import { type ReactNode, useId } from 'react';
import { cx } from '../../../../ui/cx.js';

/** Classes of the small controls of properties. */
export const inputClass =
  'block h-7 w-full min-w-0 rounded-md border border-edge bg-panel px-2 text-sm text-fg placeholder:text-muted pointer-coarse:min-h-11 pointer-coarse:text-lg ' +
  'focus-visible:border-accent focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad';

interface PropertyRowProps {
  label: string;
  /** Below the control: what is wrong with the value. */
  error?: string | null;
  /** A button at the end, such as Remove. */
  end?: ReactNode;
  children: (id: string) => ReactNode;
}

/** A property's name beside its control. */
export function PropertyRow({ label, error, end, children }: PropertyRowProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-center gap-x-2">
      <label htmlFor={id} className="min-w-0 text-sm break-words text-muted">
        {label}
      </label>
      <div className="flex min-w-0 items-center gap-1">
        <div className="min-w-0 grow">{children(id)}</div>
        {end}
      </div>
      {error && (
        <p id={`${id}-error`} className="col-start-2 mt-0.5 text-xs text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

interface PropertyGroupProps {
  label: string;
  end?: ReactNode;
  /** Indents the parts of the value. */
  isNested?: boolean;
  children: ReactNode;
}

/** The parts of a property with several values. */
export function PropertyGroup({ label, end, isNested, children }: PropertyGroupProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex min-h-7 items-center justify-between gap-2 text-sm text-muted" aria-hidden="true">
        {label}
      </div>
      {end && <div className="float-end -mt-7">{end}</div>}
      <div className={cx('flex flex-col gap-2', isNested && 'border-s border-line ps-3')}>{children}</div>
    </fieldset>
  );
}
