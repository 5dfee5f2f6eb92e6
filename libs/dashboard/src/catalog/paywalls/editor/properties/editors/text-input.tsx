import { useState } from 'react';
import { inputClass } from '../property-row.js';

interface TextInputProps {
  id?: string;
  label?: string;
  value: string;
  /** Whether the document may have the text. Others stay in the input, marked, and change nothing. */
  isValid?: (text: string) => boolean;
  problem?: string;
  onChange: (value: string) => void;
  disabled: boolean;
  placeholder?: string;
  className?: string;
}

/** One line of text. */
export function TextInput(props: TextInputProps) {
  const { id, label, value, isValid = () => true, problem, onChange, disabled, placeholder } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && !isValid(typed);
  return (
    <input
      id={id}
      type="text"
      spellCheck={false}
      autoComplete="off"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      data-tip={isWrong ? problem : undefined}
      disabled={disabled}
      placeholder={placeholder}
      value={isWrong ? typed : value}
      onChange={({ target }) => {
        setTyped(target.value);
        if (isValid(target.value)) onChange(target.value);
      }}
      className={props.className ?? inputClass}
    />
  );
}
