import { useId, type ReactNode } from 'react';
import { Icon } from '../icons.js';

/** Attributes that the control inside a field needs. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Message of the form or the server about this field. */
  error?: string | null;
  optional?: boolean;
  /** Shows the label only to assistive technology. */
  labelHidden?: boolean;
  className?: string;
}

/** A field's label, control, hint and error, associated with each other. */
export function Field({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  children,
}: FieldProps & { children: (ids: FieldIds) => ReactNode }) {
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'mb-1 block font-medium'}>
        {label}
        {/* The space is read out. */}
        {optional && <span className="ms-0.5 text-xs font-normal text-muted"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The error of a field, with an icon so that color is not the only distinction. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 flex gap-1.5 text-sm break-words text-bad">
      <Icon name="error" className="mt-px size-3.5!" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

/** Classes of every text control. */
export const controlClass =
  'block w-full min-w-0 rounded-md border border-edge bg-panel px-2.5 text-base leading-6 text-fg placeholder:text-muted ' +
  'pointer-coarse:min-h-11 pointer-coarse:text-lg [input&]:read-only:bg-bg [textarea&]:read-only:bg-bg disabled:opacity-55 ' +
  'focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-bad';
