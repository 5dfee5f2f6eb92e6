import { CopyButton } from './copy-button.js';
import { DataText } from './data-text.js';

/** An id with a copy button. Long ids are truncated, but the copy is complete. */
export function CopyId({ id, label }: { id: string; label?: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5 align-middle text-muted">
      <DataText mono truncate>
        {id}
      </DataText>
      <CopyButton value={id} label={label ?? id} />
    </span>
  );
}
