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
import { text } from './setup.text.js';
import { addressProblem, clockDifference } from './usual-causes.js';

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
  const addressTexts = { local: text.causes.addressLocal, http: text.causes.addressHttp };
  const apart = serverTime === undefined ? null : clockDifference(readAt, serverTime);
  const ids = products.slice(0, 5).map(({ store_identifier: id }) => id);
  return (
    <section aria-label={text.causes.title} className="border-t border-line pt-4">
      <h3 className="font-semibold">{text.causes.title}</h3>
      <ul className="mt-2 flex flex-col gap-3">
        <Cause title={text.causes.address} isSuspect={problem !== null}>
          {(problem === null ? text.causes.addressOk : addressTexts[problem])(address)}
        </Cause>
        <Cause title={text.causes.key} isSuspect={key === ''}>
          <DataText>{key === undefined ? '' : text.causes.keyAbout(key)}</DataText>
        </Cause>
        <Cause title={text.causes.products} isSuspect={products.length === 0}>
          {products.length === 0 ? (
            <Link to="/projects/$projectId/catalog/products" params={{ projectId }}>
              {text.causes.productsNone}
            </Link>
          ) : (
            <DataText>{text.causes.productsAbout(ids.join(', '))}</DataText>
          )}
        </Cause>
        <Cause title={text.causes.clock} isSuspect={apart !== null}>
          {apart === null ? text.causes.clockOk : text.causes.clockOff(formatDuration(locale, apart))}
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
        <Badge tone={isSuspect ? 'warn' : 'good'}>{isSuspect ? text.causes.look : text.causes.ok}</Badge>
      </p>
      <p className="text-muted">{children}</p>
    </li>
  );
}
