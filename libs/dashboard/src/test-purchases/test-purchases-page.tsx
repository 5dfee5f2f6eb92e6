import { Page } from '../frame/page.js';

export default function TestPurchasesPage() {
  return <Page title="Test purchases">{null}</Page>;
}
