import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Icon } from '../../../ui/icons.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { paywallQuery } from '../paywalls.queries.js';
import { CopyDialog } from './copy-dialog.js';
import { usePaywallDocument } from './paywall-editor-context.js';

/** Someone else saved first: continue with their paywall, or keep the own one as another. */
export function ConflictNote() {
  const { projectId, paywall, reset, saveState } = usePaywallDocument();
  const queries = useQueryClient();
  const toast = useToast();
  const [isLoading, setLoading] = useState(false);
  const [isCopying, setCopying] = useState(false);
  if (saveState.status !== 'conflict') return null;
  const takeTheirs = async () => {
    setLoading(true);
    try {
      reset(await queries.fetchQuery({ ...paywallQuery(projectId, paywall.id), staleTime: 0 }));
    } catch (error) {
      toast({ title: 'Their paywall was not loaded', description: (error as Error).message, tone: 'bad' });
    } finally {
      setLoading(false);
    }
  };
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-warn bg-panel px-4 py-2.5"
    >
      <span className="flex min-w-0 grow items-center gap-2">
        <Icon name="warning" className="text-warn" />
        <span>
          <strong className="font-semibold">Someone else changed this paywall.</strong> Your last changes are
          not saved.
        </span>
      </span>
      <span className="flex flex-wrap gap-2">
        <Button busy={isLoading} onClick={() => void takeTheirs()}>
          Use theirs
        </Button>
        <Button variant="primary" onClick={() => setCopying(true)}>
          Keep mine as a copy
        </Button>
      </span>
      {isCopying && <CopyDialog onClose={() => setCopying(false)} />}
    </div>
  );
}
