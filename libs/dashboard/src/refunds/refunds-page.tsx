import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { Tabs } from '../ui/tabs.js';
import { AnswerNotes } from './answer-notes.js';
import { PoliciesPanel } from './policies-panel.js';
import { RefundCards } from './refund-cards.js';
import { RequestsPanel } from './requests-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/refunds');

export default function RefundsPage() {
  const { projectId } = route.useParams();
  const { tab = 'requests' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Refunds"
      note="Refund requests of the App Store and chargebacks of Google Play, and how they were answered."
      inTurn
    >
      <AnswerNotes projectId={projectId} />
      <RefundCards projectId={projectId} />
      <Tabs
        label="Refunds"
        value={tab}
        onChange={(next) =>
          void navigate({ search: { tab: next === 'policies' ? next : undefined }, replace: true })
        }
        tabs={[
          { id: 'requests', label: 'Requests' },
          { id: 'policies', label: 'Policies' },
        ]}
      >
        {tab === 'requests' ? (
          <RequestsPanel projectId={projectId} />
        ) : (
          <PoliciesPanel projectId={projectId} />
        )}
      </Tabs>
    </Page>
  );
}
