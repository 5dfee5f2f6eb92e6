import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import type { Schema } from '../api/types.js';
import { ShowCall } from '../frame/api-calls/show-call.js';
import { useDirtyForm } from '../frame/forms/dirty-forms.js';
import { useForm } from '../frame/forms/use-form.js';
import { Button } from '../ui/button.js';
import { FormActions, FormError } from '../ui/forms/form.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextAreaField } from '../ui/forms/text-field.js';
import { useToast } from '../ui/overlays/toast.js';
import { Panel } from '../ui/panel.js';
import { deliveryLabels } from './delivery-labels.js';
import { preferenceLabels } from './labels.js';
import { type RefundRequest, useAnswerRequest, useLeaveRequest } from './requests.queries.js';

type Answer = 'grant_full' | 'decline' | 'neutral' | 'do_not_answer';
type Delivery = keyof typeof deliveryLabels;

const answers: readonly Answer[] = ['grant_full', 'decline', 'neutral', 'do_not_answer'];
const MAX_NOTE = 1_000;
const initial = { delivery_status: 'delivered' as Delivery, note: '' };

const noteOf = ({ note }: typeof initial) => ({ note: note.trim() === '' ? null : note.trim() });

const bodyOf = (
  values: typeof initial,
  preference: Exclude<Answer, 'do_not_answer'>,
  isGoogle: boolean,
): Schema<'AnswerRefundRequestDto'> => ({
  preference,
  ...noteOf(values),
  ...(!isGoogle && { delivery_status: values.delivery_status }),
});

/** Answers a request by hand. Each button sends the form with another answer. */
export function AnswerForm({ projectId, request }: { projectId: string; request: RefundRequest }) {
  const { id, store } = request;
  const isGoogle = store === 'play_store';
  const toast = useToast();
  const may = useMay('answerRefundRequest');
  const answer = useAnswerRequest(projectId, id);
  const leave = useLeaveRequest(projectId, id);
  const [chosen, setChosen] = useState<Answer>('neutral');
  // The button under the pointer or with the focus, for the call below.
  const [offered, setOffered] = useState<Answer>('neutral');
  const form = useForm({
    initial,
    check: ({ note }) => ({
      note: note.length > MAX_NOTE ? `Enter at most ${MAX_NOTE.toLocaleString()} characters.` : null,
    }),
    write: chosen === 'do_not_answer' ? leave : answer,
    onSubmit: (values) => {
      const done = {
        onSuccess: () => {
          toast({ title: `Answer saved: ${preferenceLabels[chosen]}` });
          form.setValues(initial);
        },
      };
      if (chosen === 'do_not_answer') leave.mutate(noteOf(values), done);
      else answer.mutate(bodyOf(values, chosen, isGoogle), done);
    },
  });
  useDirtyForm(form.isDirty, form.isPending);
  return (
    <Panel title="Your answer" description="The store decides. Your answer is one of several factors.">
      <form className="grid max-w-3xl gap-4" {...form.formProps}>
        {isGoogle && <p className="text-warn">A lost chargeback may be charged to you.</p>}
        <FormError error={form.problem} />
        {!isGoogle && (
          <SelectField
            label="Delivery"
            className="max-w-sm"
            options={Object.entries(deliveryLabels).map(([value, label]) => ({ value, label }))}
            {...form.field('delivery_status')}
          />
        )}
        <TextAreaField label="Note" optional hint="For your team." rows={3} {...form.field('note')} />
        <FormActions>
          {answers.map((one) => (
            <Button
              key={one}
              type="submit"
              busy={form.isPending && chosen === one}
              disabledReason={may.reason}
              onFocus={() => setOffered(one)}
              onPointerEnter={() => setOffered(one)}
              onClick={() => setChosen(one)}
            >
              {preferenceLabels[one]}
            </Button>
          ))}
        </FormActions>
        <ShowCall
          operation={`POST /v2/projects/{project_id}/refund_requests/{refund_request_id}/actions/${offered === 'do_not_answer' ? offered : 'answer'}`}
          path={{ project_id: projectId, refund_request_id: id }}
          body={offered === 'do_not_answer' ? noteOf(form.values) : bodyOf(form.values, offered, isGoogle)}
        />
      </form>
    </Panel>
  );
}
