import { Page } from '../frame/page.js';

export default function NoAccessPage() {
  return <Page title="No access">{null}</Page>;
}
