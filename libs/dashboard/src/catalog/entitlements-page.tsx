import { Page } from '../frame/page.js';

export default function EntitlementsPage() {
  return <Page title="Entitlements">{null}</Page>;
}
