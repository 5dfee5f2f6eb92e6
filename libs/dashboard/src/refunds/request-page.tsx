import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { storeName } from '../api/words.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Money } from '../ui/format/money.js';
import { Time } from '../ui/format/time.js';
import { KeyValues } from '../ui/key-values.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { Panel } from '../ui/panel.js';
import { DataText } from '../ui/text/data-text.js';
import { JsonView } from '../ui/text/json-view.js';
import { visibleText } from '../ui/text/visible-text.js';
import { AnswerBy } from './answer-by.js';
import { AnswerForm } from './answer-form.js';
import {
  answerLabel,
  deciderLabels,
  notAnsweredLabels,
  outcomeLabels,
  reasonLabel,
  statusLabels,
} from './request-labels.js';
import { isOpen, type RefundRequest, requestQuery } from './requests.queries.js';

const route = getRouteApi('/signed-in/projects/$projectId/refunds/$refundRequestId');

/** One refund request: what was asked, what was answered, and what the store decided. */
export default function RequestPage() {
  const { projectId, refundRequestId } = route.useParams();
  const query = requestQuery(projectId, refundRequestId);
  const request = useQuery(query);
  const { data } = request;
  const status = data && statusLabels[data.answer_status];
  return (
    <Page
      title="Refund request"
      id={refundRequestId}
      badges={status && <Badge tone={status.tone}>{status.label}</Badge>}
    >
      {data ? (
        <>
          <Refusal request={data} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Panel title="Request">
              <KeyValues items={requestFacts(projectId, data)} />
            </Panel>
            <Panel title="Answer and outcome">
              <KeyValues items={answerFacts(data)} />
            </Panel>
          </div>
          {isOpen(data) && <AnswerForm projectId={projectId} request={data} />}
          {data.body_sent && <Json title="Answer as sent" value={data.body_sent} />}
          {data.facts && <Json title="Values used for the decision" value={data.facts} />}
        </>
      ) : (
        <Panel>
          <QueryPanel query={request} queryKey={query.queryKey}>
            {() => null}
          </QueryPanel>
        </Panel>
      )}
    </Page>
  );
}

function Json({ title, value }: { title: string; value: object }) {
  return (
    <Panel title={title}>
      <JsonView label={title} value={value} />
    </Panel>
  );
}

/** The error of the last call, if there is one. */
function Refusal({
  request: { store, answer_status: status, last_error: error },
}: {
  request: RefundRequest;
}) {
  if (error === null) return null;
  const name = store === 'play_store' ? 'Google' : 'Apple';
  const text =
    status === 'refused' ? `${name} refused the answer: ${error}.` : `The last attempt failed: ${error}`;
  return <p className="text-bad">{visibleText(text)}</p>;
}

type Facts = readonly (readonly [string, ReactNode])[];

function requestFacts(projectId: string, request: RefundRequest): Facts {
  const { customer_id: customer, amount, order_id: order, transaction_id: transaction } = request;
  return [
    [
      'Customer',
      customer === null ? (
        'Unknown'
      ) : (
        <Link
          key="customer"
          to="/projects/$projectId/customer"
          params={{ projectId }}
          search={{ id: customer }}
        >
          <DataText mono>{customer}</DataText>
        </Link>
      ),
    ],
    ['Store', storeName(request.store)],
    ...(request.environment === 'sandbox'
      ? ([
          [
            'Environment',
            <Badge key="environment" tone="warn">
              Sandbox
            </Badge>,
          ],
        ] as const)
      : []),
    ['Reason', <DataText key="reason">{reasonLabel(request.reason)}</DataText>],
    [
      'Payment',
      amount === null ? '—' : <Money key="payment" amount={amount.gross} currency={amount.currency} />,
    ],
    [
      order === null ? 'Transaction' : 'Order',
      <DataText key="transaction" mono>
        {order ?? transaction ?? '—'}
      </DataText>,
    ],
    ['Requested', <Time key="requested" ms={request.requested_at} />],
    ['Answer by', <AnswerBy key="deadline" request={request} />],
  ];
}

function answerFacts(request: RefundRequest): Facts {
  const { outcome, refunded_amount: refunded, answer_reason: reason, decided_by: decider, note } = request;
  return [
    ['Answer', answerLabel(request)],
    ...(reason === null ? [] : ([['Why', notAnsweredLabels[reason]]] as const)),
    [
      'Decided by',
      decider === null ? (
        '—'
      ) : (
        <DataText key="decider">
          {request.policy_name ?? request.answered_by ?? deciderLabels[decider]}
        </DataText>
      ),
    ],
    ...(isOpen(request) && request.due_at !== null
      ? ([['Sent automatically', <Time key="due" ms={request.due_at} />]] as const)
      : []),
    ['Answered', <Time key="answered" ms={request.answered_at} />],
    ...(note === null ? [] : ([['Note', <DataText key="note">{note}</DataText>]] as const)),
    [
      'Outcome',
      outcome === null ? (
        'Not decided yet'
      ) : (
        <Badge key="outcome" tone={outcomeLabels[outcome].tone}>
          {outcomeLabels[outcome].label}
        </Badge>
      ),
    ],
    ...(refunded === null
      ? []
      : ([
          ['Refunded', <Money key="refunded" amount={refunded.gross} currency={refunded.currency} />],
        ] as const)),
  ];
}
