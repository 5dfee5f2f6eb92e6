import { useNavigate } from '@tanstack/react-router';
import { Icon } from '../../ui/icons.js';
import { useEnvironment } from '../environment.js';
import { environments, type Environment } from '../environments.js';

const names: Record<Environment, string> = { production: 'Production', sandbox: 'Sandbox', both: 'Both' };

export function EnvironmentSwitch() {
  const { environment } = useEnvironment();
  const navigate = useNavigate();
  return (
    <label className="relative flex items-center">
      <span className="sr-only">Environment</span>
      <select
        value={environment}
        onChange={({ target }) => {
          const env = target.value as Environment;
          void navigate({ to: '.', search: (before: object) => ({ ...before, env }) } as never);
        }}
        className="h-8 appearance-none rounded-md border border-line bg-panel ps-2.5 pe-7 text-sm hover:bg-hover"
      >
        {environments.map((name) => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute end-2 text-muted">
        <Icon name="chevron-down" />
      </span>
    </label>
  );
}

/** Notes that the page shows sandbox data. */
export function EnvironmentNote() {
  const { environment, isFallback } = useEnvironment();
  if (environment === 'production') return null;
  return (
    <p className="-mt-2 mb-3 text-sm text-warn">
      {isFallback && 'Showing sandbox data: there is no production data yet.'}
      {!isFallback && environment === 'sandbox' && 'Showing sandbox data.'}
      {environment === 'both' && 'Showing production and sandbox data together.'}
    </p>
  );
}
