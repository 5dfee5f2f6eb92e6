import { useEffect, useState } from 'react';
import { Button } from '../ui/button.js';
import { Icon } from '../ui/icons.js';
import { serverAnswers } from './stale-assets.js';

/** Shown when a dialog or menu of this build is missing on the server. The page and its input remain. */
export function UpdateNote() {
  const [isUpdated, setIsUpdated] = useState(false);
  useEffect(() => {
    // Vite fires this event when a chunk or its style sheet cannot be loaded.
    const check = () => void serverAnswers().then((answers) => answers && setIsUpdated(true));
    addEventListener('vite:preloadError', check);
    return () => removeEventListener('vite:preloadError', check);
  }, []);
  if (!isUpdated) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-panel px-4 py-1.5 text-sm"
    >
      <Icon name="refresh" className="text-muted" />
      <span>The dashboard was updated; parts of this page no longer load.</span>
      <Button size="sm" onClick={() => location.reload()}>
        Load the new version
      </Button>
    </div>
  );
}
