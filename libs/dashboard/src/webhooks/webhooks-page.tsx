import { Page } from '../frame/page.js';

export default function WebhooksPage() {
  return <Page title="Webhooks">{null}</Page>;
}
