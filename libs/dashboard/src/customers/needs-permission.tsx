import { Icon } from '../ui/icons.js';

/** Replaces content that the person may not read. */
export function NeedsPermission({ reason }: { reason: string | null }) {
  return (
    <p className="flex items-start gap-2 px-4 py-4 text-muted">
      <Icon name="lock" className="mt-0.5" />
      {reason}
    </p>
  );
}
