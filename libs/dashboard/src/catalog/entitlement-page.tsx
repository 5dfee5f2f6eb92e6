import { Page } from '../frame/page.js';

export default function EntitlementPage() {
  return <Page title="Entitlement">{null}</Page>;
}
