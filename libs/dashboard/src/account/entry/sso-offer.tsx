import { Button } from '../../ui/button.js';
import { buttonClass } from '../../ui/button-class.js';
import { ssoText as text } from './sso-offer.text.js';

interface SsoOfferProps {
  /** Where the sign-in starts. */
  url: string;
  /** Null where the organization accepts no passwords of this address. */
  onPassword: (() => void) | null;
}

/** In place of the password: the way to the identity provider of the address. */
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
