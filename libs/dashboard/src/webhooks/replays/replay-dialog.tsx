import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { EventType } from '../../api/event-types.js';
import { ShowCall } from '../../frame/api-calls/show-call.js';
import { Button } from '../../ui/button.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { Dialog } from '../../ui/overlays/dialog.js';
import { FormError } from '../../ui/forms/form.js';
import { useToast } from '../../ui/overlays/toast.js';
import { watchReplay } from './replay-job.js';
import { rangeOf, type ReplayForm } from './replay-period.js';
import { ReplayPeriodFields } from './replay-period-fields.js';
import { TypeChoice } from '../type-choice.js';
import { failingSince } from '../webhook-health.js';
import { type Integration, newestDeliveriesQuery, webhooksKey } from '../webhooks.queries.js';
import { useReplay } from '../webhooks.writes.js';

interface ReplayDialogProps {
  projectId: string;
  integration: Integration;
  /** When the webhook was paused, for a replay of missed events. */
  pausedAt?: number | null;
  onClose: () => void;
}

/** Resends the events of a period. */
export function ReplayDialog({ projectId, integration, pausedAt = null, onClose }: ReplayDialogProps) {
  const id = useId();
  const toast = useToast();
  const queries = useQueryClient();
  const newest = useQuery(newestDeliveriesQuery(projectId, integration.id));
  // Fixed when the dialog opens, so that the displayed period is the one that is sent.
  const [now] = useState(Date.now);
  const [form, setForm] = useState<ReplayForm>({
    period: pausedAt === null ? 'hour' : 'paused',
    fromMs: null,
    toMs: null,
  });
  const [status, setStatus] = useState<'failed' | 'all'>(pausedAt === null ? 'failed' : 'all');
  const [types, setTypes] = useState<EventType[] | null>(null);
  const [isChecked, setIsChecked] = useState(false);
  const failing = failingSince(newest.data ?? []);
  const range = rangeOf(form, { failing, paused: pausedAt, now });
  const replay = useReplay(projectId, integration.id, (answer) => {
    onClose();
    if (answer.queued === 0)
      toast({ title: 'Nothing to send again', description: 'No event of this period matches.' });
    else
      watchReplay(projectId, integration.name, answer, () => {
        void queries.invalidateQueries({ queryKey: webhooksKey(projectId) });
      });
  });
  const body = { ...(range ?? { from: 0, to: 0 }), status, event_types: types ?? [] };
  const error = replay.error;
  const known = newest.data?.filter(({ created_at: at }) => range && at >= range.from && at < range.to);
  return (
    <Dialog
      open
      onClose={() => !replay.isPending && onClose()}
      title="Replay events"
      description="Your backend gets the same event ids again, with the header X-Service-Webhook-Replay. One replay holds at most 10,000 events."
      footer={
        <>
          <Button onClick={onClose} disabled={replay.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" busy={replay.isPending}>
            Start replay
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setIsChecked(true);
          if (range && types?.length !== 0 && !replay.isPending) replay.mutate(body);
        }}
      >
        <ReplayPeriodFields
          form={form}
          onChange={setForm}
          failingSince={failing}
          pausedAt={pausedAt}
          error={
            isChecked && !range
              ? 'Choose when it begins.'
              : error?.param === 'from' || error?.param === 'to'
                ? error.message
                : null
          }
        />
        <RadioCards
          label="What to send"
          columns={2}
          value={status}
          onChange={setStatus}
          options={[
            { value: 'failed', label: 'Only failed deliveries', hint: 'Deliveries that were given up.' },
            {
              value: 'all',
              label: 'Every event',
              hint: 'Also what was delivered before, and what was recorded while the webhook was paused.',
            },
          ]}
        />
        {known && known.length > 0 && (
          <p className="text-muted">
            {`Of the newest ${known.length === 1 ? 'delivery' : `${known.length} deliveries`} in this period, ${known.filter((delivery) => delivery.status === 'failed').length} failed for good.`}
          </p>
        )}
        <TypeChoice
          label="Types"
          allLabel="All types"
          allHint="Every type that the webhook takes"
          value={types}
          onChange={setTypes}
          error={isChecked && types?.length === 0 ? 'Choose at least one type.' : null}
        />
        <FormError error={error && error.param !== 'from' && error.param !== 'to' ? error.message : null} />
        <ShowCall
          operation="POST /v2/projects/{project_id}/webhooks/{webhook_integration_id}/actions/replay"
          path={{ project_id: projectId, webhook_integration_id: integration.id }}
          body={body}
        />
      </form>
    </Dialog>
  );
}
