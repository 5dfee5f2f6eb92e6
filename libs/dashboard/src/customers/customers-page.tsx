import { Page } from '../frame/page.js';

export default function CustomersPage() {
  return <Page title="Customers">{null}</Page>;
}
