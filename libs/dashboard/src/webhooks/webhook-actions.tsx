import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { useToast } from '../ui/overlays/toast.js';
import { PauseDialog } from './pause-dialog.js';
import { ReplayDialog } from './replays/replay-dialog.js';
import { ResumeDialog } from './resume-dialog.js';
import { RotateDialog } from './signing/rotate-dialog.js';
import type { Integration } from './webhooks.queries.js';
import { useSendTest } from './webhooks.writes.js';

interface WebhookActionsProps {
  projectId: string;
  integration: Integration;
  isPaused: boolean;
}

type Open = { name: 'pause' | 'resume' | 'rotate' } | { name: 'replay'; pausedAt: number | null };

/** Actions on an endpoint. */
export function WebhookActions({ projectId, integration, isPaused }: WebhookActionsProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const toast = useToast();
  const may = {
    test: useMay('testWebhookIntegration').reason,
    replay: useMay('replayWebhookEvents').reason,
    rotate: useMay('rotateWebhookSecret').reason,
    update: useMay('updateWebhookIntegration').reason,
  };
  const test = useSendTest(projectId, integration.id, () =>
    toast({
      title: 'Test event queued',
      description: 'Its delivery, with the answer of your endpoint, is at the top of the list.',
    }),
  );
  const sendTest = () =>
    test.mutate(undefined, { onError: (error) => toast({ title: error.message, tone: 'bad' }) });
  const close = () => setOpen(null);
  const ids = { projectId, webhookId: integration.id, onClose: close };
  return (
    <>
      <Button icon="send" busy={test.isPending} disabledReason={may.test} onClick={sendTest}>
        Send test
      </Button>
      <Button
        icon="history"
        disabledReason={may.replay}
        onClick={() => setOpen({ name: 'replay', pausedAt: null })}
      >
        Replay
      </Button>
      <Button icon="key" disabledReason={may.rotate} onClick={() => setOpen({ name: 'rotate' })}>
        Rotate secret
      </Button>
      {isPaused ? (
        <Button
          icon="play"
          variant="primary"
          disabledReason={may.update}
          onClick={() => setOpen({ name: 'resume' })}
        >
          Resume
        </Button>
      ) : (
        <Button icon="pause" disabledReason={may.update} onClick={() => setOpen({ name: 'pause' })}>
          Pause
        </Button>
      )}
      {open?.name === 'pause' && <PauseDialog {...ids} />}
      {open?.name === 'resume' && (
        <ResumeDialog {...ids} onReplay={(pausedAt) => setOpen({ name: 'replay', pausedAt })} />
      )}
      {open?.name === 'rotate' && <RotateDialog {...ids} />}
      {open?.name === 'replay' && (
        <ReplayDialog
          projectId={projectId}
          integration={integration}
          pausedAt={open.pausedAt}
          onClose={close}
        />
      )}
    </>
  );
}
