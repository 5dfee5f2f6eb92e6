import { Page } from '../frame/page.js';

export default function TransactionsPage() {
  return <Page title="Transactions">{null}</Page>;
}
