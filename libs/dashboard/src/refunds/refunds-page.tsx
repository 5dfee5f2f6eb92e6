import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../frame/pages/page.js';
import { PoliciesPanel } from './policies-panel.js';

const route = getRouteApi('/signed-in/projects/$projectId/refunds');

export default function RefundsPage() {
  const { projectId } = route.useParams();
  return (
    <Page
      title="Refunds"
      note="Refund requests of the App Store and chargebacks of Google Play, and how they were answered."
    >
      <PoliciesPanel projectId={projectId} />
    </Page>
  );
}
