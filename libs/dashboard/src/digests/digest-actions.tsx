import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { useToast } from '../ui/overlays/toast.js';
import type { Digest } from './digests.queries.js';
import { useSendDigest, useUpdateDigest } from './digests.writes.js';

/** Sends a digest now, and switches it off and on. */
export function DigestActions({ projectId, digest }: { projectId: string; digest: Digest }) {
  const toast = useToast();
  const maySend = useMay('sendDigestNow');
  const mayUpdate = useMay('updateDigest');
  const send = useSendDigest(projectId, digest.id);
  const update = useUpdateDigest(projectId, digest.id);
  const { enabled } = digest;
  const failed = { onError: ({ message }: Error) => toast({ title: message, tone: 'bad' }) };
  const sendNow = () =>
    send.mutate(undefined, {
      ...failed,
      onSuccess: (sent) =>
        toast({
          title: sent.object === 'digest_mails' ? mailsText(sent.queued) : 'Message queued',
          tone: 'good',
        }),
    });
  const toggle = () =>
    update.mutate(
      { enabled: !enabled },
      {
        ...failed,
        onSuccess: () => toast({ title: enabled ? 'Digest switched off' : 'Digest switched on' }),
      },
    );
  return (
    <>
      <Button icon="send" busy={send.isPending} disabledReason={maySend.reason} onClick={sendNow}>
        Send now
      </Button>
      <Button
        icon={enabled ? 'pause' : 'play'}
        busy={update.isPending}
        disabledReason={mayUpdate.reason}
        onClick={toggle}
      >
        {enabled ? 'Switch off' : 'Switch on'}
      </Button>
    </>
  );
}

const mailsText = (queued: number): string => (queued === 1 ? '1 mail queued' : `${queued} mails queued`);
