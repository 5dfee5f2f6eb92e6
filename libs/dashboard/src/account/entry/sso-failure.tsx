import { Notice } from '../../ui/notice.js';
import { ssoErrorText } from './sso-error.js';

/** Explains a failed single sign-on, by the code in the address. */
export default function SsoFailure({ code }: { code: string }) {
  return <Notice tone="bad">{ssoErrorText(code)}</Notice>;
}
