import { Button } from '../../../../ui/button.js';
import { Icon } from '../../../../ui/icons.js';
import { Spinner } from '../../../../ui/progress.js';
import { DataText } from '../../../../ui/text/data-text.js';
import { usePaywallDocument } from '../paywall-editor-context.js';

/** Whether the server has the document. */
export function SaveNote() {
  const { saveState, saveNow, canWrite } = usePaywallDocument();
  if (!canWrite) return <span className="text-sm text-muted">Read only</span>;
  if (saveState.status === 'failed')
    return (
      <span role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-bad">
        <span className="min-w-0">
          Not saved: <DataText>{saveState.reason}</DataText>
        </span>
        <Button size="sm" icon="refresh" onClick={() => void saveNow()}>
          Try again
        </Button>
      </span>
    );
  return (
    <span role="status" className="flex items-center gap-1.5 text-sm text-muted">
      {saveState.status === 'saved' && (
        <>
          <Icon name="check" className="text-good" />
          Saved
        </>
      )}
      {(saveState.status === 'saving' || saveState.status === 'unsaved') && (
        <>
          <Spinner />
          Saving…
        </>
      )}
      {saveState.status === 'conflict' && <span className="text-bad">Not saved</span>}
    </span>
  );
}
