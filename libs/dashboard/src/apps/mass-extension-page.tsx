import { Page } from '../frame/page.js';

export default function MassExtensionPage() {
  return <Page title="Extend subscriptions">{null}</Page>;
}
