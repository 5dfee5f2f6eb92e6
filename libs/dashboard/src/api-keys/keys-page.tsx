import { Page } from '../frame/page.js';

export default function KeysPage() {
  return <Page title="API keys">{null}</Page>;
}
