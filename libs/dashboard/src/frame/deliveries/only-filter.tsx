import { Button } from '../../ui/button.js';
import { visibleText } from '../../ui/text/visible-text.js';

/** A filter that was set by a link. */
export function OnlyFilter({ what, onRemove }: { what: string; onRemove: () => void }) {
  const shown = visibleText(what);
  return (
    <Button
      size="sm"
      icon="x"
      aria-label={`Show all, not only ${shown}`}
      onClick={onRemove}
      className="max-w-full"
    >
      <span className="truncate">{shown}</span>
    </Button>
  );
}
