import { Page } from '../frame/page.js';

export default function ProductPage() {
  return <Page title="Product">{null}</Page>;
}
