import { CopyButton } from '../../ui/text/copy-button.js';
import { DataText } from '../../ui/text/data-text.js';

/** A value to enter elsewhere, in full, with a copy button. */
export function CopyValue({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex min-w-0 items-start gap-1">
      <span className="min-w-0 py-0.5 wrap-anywhere">
        <DataText mono>{value}</DataText>
      </span>
      <CopyButton value={value} label={label} />
    </span>
  );
}
