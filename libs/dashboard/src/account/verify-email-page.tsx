import { PlainPage } from '../frame/plain-page.js';

export default function VerifyEmailPage() {
  return <PlainPage title="Confirm your e-mail address">{null}</PlainPage>;
}
