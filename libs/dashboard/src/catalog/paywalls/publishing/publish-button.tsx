import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { Button } from '../../../ui/button.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';

const PublishDialog = lazy(() =>
  import('./publish-dialog.js').then((module) => ({ default: module.PublishDialog })),
);

/** Saves the draft, then opens the dialog that publishes it. */
export function PublishButton() {
  const { paywall, saveState, saveNow } = usePaywallDocument();
  const may = useMay('publishPaywall');
  const [isSaving, setIsSaving] = useState(false);
  const [revision, setRevision] = useState<number | null>(null);
  const hasChanges = saveState.status !== 'saved' || paywall.components?.draft !== null;
  const open = async () => {
    setIsSaving(true);
    // If it fails, the page says why, next to "Try again".
    setRevision(await saveNow());
    setIsSaving(false);
  };
  return (
    <>
      <Button
        variant="primary"
        busy={isSaving}
        disabledReason={may.reason ?? (hasChanges ? null : 'Apps already have this version.')}
        onClick={() => void open()}
      >
        Publish
      </Button>
      <Suspense>
        {revision !== null && <PublishDialog revision={revision} onClose={() => setRevision(null)} />}
      </Suspense>
    </>
  );
}
