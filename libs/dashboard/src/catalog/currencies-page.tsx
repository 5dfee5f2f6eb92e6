import { Page } from '../frame/page.js';

export default function CurrenciesPage() {
  return <Page title="Virtual currencies">{null}</Page>;
}
