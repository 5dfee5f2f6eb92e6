import { useState } from 'react';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { SecretField } from '../../ui/forms/text-field.js';

interface SecretSettingProps {
  label: string;
  hint?: string;
  optional: boolean;
  /** Whether a value is stored. It is never shown. */
  isSet: boolean;
  /** Whether the stored value must be entered again. */
  isMoved: boolean;
  /** Empty: unchanged. Null: removed. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: string | null;
  disabled?: boolean;
}

/** A secret, which can be set, replaced or removed, and not read. */
export function SecretSetting(props: SecretSettingProps) {
  const { label, hint, optional, isSet, isMoved, value, onChange, error, disabled } = props;
  const [isReplacing, setIsReplacing] = useState(false);
  const isOpen = !isSet || isReplacing || isMoved || (value !== null && value !== '');
  if (isOpen && value !== null)
    return (
      <div className="flex flex-col items-start gap-1">
        <SecretField
          className="w-full"
          label={label}
          hint={hint}
          optional={optional && !isSet}
          value={value}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value)}
          error={error}
        />
        {isSet && isReplacing && !isMoved && (
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              onChange('');
              setIsReplacing(false);
            }}
          >
            Keep the present value
          </Button>
        )}
      </div>
    );
  return (
    <div role="group" aria-label={label}>
      <p className="mb-1 font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-2">
        {value === null ? (
          <>
            <Badge tone="warn">Removed when you save</Badge>
            <Button size="sm" onClick={() => onChange('')}>
              Keep it
            </Button>
          </>
        ) : (
          <>
            <Badge tone="good">Set</Badge>
            <Button size="sm" aria-label={`Replace: ${label}`} onClick={() => setIsReplacing(true)}>
              Replace
            </Button>
            {optional && (
              <Button size="sm" aria-label={`Remove: ${label}`} onClick={() => onChange(null)}>
                Remove
              </Button>
            )}
          </>
        )}
      </div>
      {error && <p className="mt-1 text-sm text-bad">{error}</p>}
      {hint && <p className="mt-1 text-sm text-muted">{hint}</p>}
    </div>
  );
}
