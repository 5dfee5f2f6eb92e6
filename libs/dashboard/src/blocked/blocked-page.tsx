import { Page } from '../frame/page.js';

export default function BlockedPage() {
  return <Page title="Blocked customers">{null}</Page>;
}
