import { Page } from '../frame/page.js';

export default function ProductsPage() {
  return <Page title="Products">{null}</Page>;
}
