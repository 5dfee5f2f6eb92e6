import { Button } from '../../ui/button.js';
import { buttonClass } from '../../ui/button-class.js';
import { ssoText as text } from './sso-offer.text.js';

interface SsoOfferProps {
  /** URL that starts the sign-in. */
  url: string;
  /** Null if the organization does not accept passwords for this address. */
  onPassword: (() => void) | null;
}

/** Replaces the password field with a link to the address's identity provider. */
export default function SsoOffer({ url, onPassword }: SsoOfferProps) {
  return (
    <>
      <p role="status">{onPassword === null ? text.required : text.offered}</p>
      <a href={url} className={`${buttonClass({ variant: 'primary' })} w-full`}>
        {text.goOn}
      </a>
      {onPassword !== null && (
        <Button variant="ghost" onClick={onPassword} className="self-start">
          {text.password}
        </Button>
      )}
    </>
  );
}
