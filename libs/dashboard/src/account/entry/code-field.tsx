import { useEffect, useRef } from 'react';
import { TextField } from '../../ui/forms/text-field.js';
import { sixDigits } from './six-digits.js';

interface CodeFieldProps {
  value: string;
  onChange: (code: string) => void;
  /** Called after the sixth digit. */
  onComplete?: (code: string) => void;
  error?: string | null;
  autoFocus?: boolean;
}

/** A field for a code of an authenticator app. */
export function CodeField({ value, onChange, onComplete, error, autoFocus }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  // Selects a wrong code, so that typing replaces it.
  useEffect(() => {
    if (error) input.current?.select();
  }, [error]);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  return (
    <TextField
      ref={input}
      name="code"
      label="Six-digit code"
      value={value}
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]*"
      mono
      className="max-w-40"
      error={error}
      onChange={(event) => {
        const code = sixDigits(event.target.value);
        onChange(code);
        if (code.length === 6 && code !== value) onComplete?.(code);
      }}
    />
  );
}
