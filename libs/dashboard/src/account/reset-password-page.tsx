import { PlainPage } from '../frame/plain-page.js';

export default function ResetPasswordPage() {
  return <PlainPage title="Reset your password">{null}</PlainPage>;
}
