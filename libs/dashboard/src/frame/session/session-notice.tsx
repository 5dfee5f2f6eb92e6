import { useEffect, useSyncExternalStore } from 'react';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { useSession } from './session-context.js';

/** Covers a form with unsaved input after the session has ended. */
export function SessionCover() {
  const session = useSession();
  const isCovered = useSyncExternalStore(session.subscribe, session.isCovered);
  useEffect(() => {
    if (!isCovered) return;
    const look = () => void session.goOn();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [isCovered, session]);
  if (!isCovered) return null;
  return (
    <Dialog
      open
      onClose={() => void session.goOn()}
      title="You are signed out"
      description="What you have typed is still here. Sign in again in a new tab, then come back to this one."
      size="sm"
      footer={
        <>
          <a href="/login" target="_blank" rel="noopener" className="me-auto self-center">
            Sign in in a new tab
          </a>
          <Button variant="primary" onClick={() => void session.goOn()}>
            I am signed in again
          </Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
