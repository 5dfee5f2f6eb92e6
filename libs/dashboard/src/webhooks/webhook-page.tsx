import { Page } from '../frame/page.js';

export default function WebhookPage() {
  return <Page title="Webhook">{null}</Page>;
}
