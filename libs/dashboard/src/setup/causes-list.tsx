import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '../api/types.js';
import { publicKeyQuery } from '../frame/sdk/public-key.queries.js';
import { Badge } from '../ui/badge.js';
import { DataText } from '../ui/text/data-text.js';
import { useFormat } from '../ui/format/format-context.js';
import { formatDuration } from '../ui/format/period.js';
import type { App } from './setup.queries.js';
import { addressProblem, clockDifference } from './usual-causes.js';

const addressLocalText = (address: string) =>
  `${address} means the device itself. On a phone, use this computer's address in your network; the Android emulator calls it http://10.0.2.2.`;

const addressHttpText = (address: string) =>
  `${address} is not encrypted. iOS and Android refuse such addresses until the app allows them.`;

const addressOkText = (address: string) =>
  `Open ${address}/healthz in the device's browser: it should say that it is up.`;

interface CausesListProps {
  projectId: string;
  app: App;
  products: Schema<'ProductDto'>[];
  /** The server's clock at its response, and this computer's. */
  serverTime: number | undefined;
  readAt: number;
}

/** Reasons why nothing arrives, with the checks that are possible from here. */
export function CausesList({ projectId, app, products, serverTime, readAt }: CausesListProps) {
  const { locale } = useFormat();
  const { data: key } = useQuery(publicKeyQuery(projectId, app.id));
  const address = location.origin;
  const problem = addressProblem(address);
  const addressTexts = { local: addressLocalText, http: addressHttpText };
  const apart = serverTime === undefined ? null : clockDifference(readAt, serverTime);
  const ids = products.slice(0, 5).map(({ store_identifier: id }) => id);
  return (
    <section aria-label="Usual causes" className="border-t border-line pt-4">
      <h3 className="font-semibold">Usual causes</h3>
      <ul className="mt-2 flex flex-col gap-3">
        <Cause title="The device reaches this address" isSuspect={problem !== null}>
          {(problem === null ? addressOkText : addressTexts[problem])(address)}
        </Cause>
        <Cause title="The key is whole" isSuspect={key === ''}>
          <DataText>{key === undefined ? '' : `The app must configure exactly ${key}.`}</DataText>
        </Cause>
        <Cause title="Product ids are the same everywhere" isSuspect={products.length === 0}>
          {products.length === 0 ? (
            <Link to="/projects/$projectId/catalog/products" params={{ projectId }}>
              There is no product yet. The SDK offers nothing to buy.
            </Link>
          ) : (
            <DataText>{`This app knows ${ids.join(', ')}. The store must use the same ids.`}</DataText>
          )}
        </Cause>
        <Cause title="The clock is right" isSuspect={apart !== null}>
          {apart === null
            ? "This computer and the server agree. Check the device's clock, too."
            : `The clock of this computer and the server's differ by ${formatDuration(locale, apart)}. Set the wrong one.`}
        </Cause>
      </ul>
    </section>
  );
}

interface CauseProps {
  title: string;
  isSuspect: boolean;
  children: ReactNode;
}

function Cause({ title, isSuspect, children }: CauseProps) {
  return (
    <li>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{title}</span>
        <Badge tone={isSuspect ? 'warn' : 'good'}>{isSuspect ? 'Look here' : 'Looks right'}</Badge>
      </p>
      <p className="text-muted">{children}</p>
    </li>
  );
}
