import { PlainPage } from '../frame/plain-page.js';

export default function ChangeEmailPage() {
  return <PlainPage title="Change your e-mail address">{null}</PlainPage>;
}
