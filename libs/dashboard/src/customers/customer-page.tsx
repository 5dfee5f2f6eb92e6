import { Page } from '../frame/page.js';

export default function CustomerPage() {
  return <Page title="Customer">{null}</Page>;
}
