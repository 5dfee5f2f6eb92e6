import type { PlanApp, PlanFacts, PlanStep } from './plan.model.js';

type Step = Omit<PlanStep, 'step'>;

/** The steps of a migration without downtime, with those already done. docs/migration.md explains each. */
export function planSteps(facts: PlanFacts): PlanStep[] {
  const steps = [
    imported(facts),
    credentials(facts),
    confirmed(facts),
    statistics(facts),
    publicKeys(facts),
    ...facts.apps.flatMap((app) => notifications(app, facts)),
    trackNewPurchases(facts),
    webhooks(facts),
    {
      title: 'Import again every night',
      done: null,
      detail: 'A line for cron. It brings what changed at the source and never undoes what happened here.',
      command: `15 3 * * * ${importCommand(facts)} --json >> tenure-import.log`,
    },
    {
      title: 'Compare both sides',
      done: null,
      detail: 'Continue once this has found only differences that you can explain on three consecutive days.',
      command: `tenure import verify ${target(facts)}`,
    },
    ...sdks(facts),
    {
      title: 'Move the backend',
      done: null,
      detail:
        'With the release: base address, secret key and webhook handling. Grants and balances change only here from now on.',
      command: null,
    },
    currencies(facts),
    stopForwarding(facts),
    {
      title: 'The way back',
      done: null,
      detail:
        'Until forwarding stops the source knows everything: switch the address back in the app, and call syncPurchases() once.',
      command: null,
    },
  ];
  return steps.map((step, index) => ({ step: index + 1, ...step }));
}

const target = ({ target: { url, project } }: PlanFacts) => `--to ${url} --to-project ${project}`;

function importCommand(facts: PlanFacts): string {
  return `tenure import ${target(facts)} --source-project ${facts.sourceProject ?? '<source project>'}`;
}

const named = (apps: readonly PlanApp[]) => apps.map(({ name, id }) => `${name} (${id})`).join(', ');

function imported(facts: PlanFacts): Step {
  const { status } = facts;
  return {
    title: 'Import',
    done: status && (status.last_import_at ?? null) !== null,
    detail: status
      ? `${status.customers} customers and ${status.subscriptions} subscriptions are here. Try with --dry-run first.`
      : 'Try with --dry-run first. The key may not read the status of the import.',
    command: importCommand(facts),
  };
}

function credentials({ apps, target: { url } }: PlanFacts): Step {
  const missing = apps.filter((app) => app.type !== 'test_store' && app.credentialsConfigured === false);
  const refused = apps.filter(({ credentialsError }) => credentialsError !== null);
  const unknown = apps.some(({ credentialsConfigured }) => credentialsConfigured === null);
  const problems = [
    ...(missing.length > 0 ? [`Missing: ${named(missing)}.`] : []),
    ...refused.map((app) => `The store refuses those of ${named([app])}: ${app.credentialsError ?? ''}`),
  ];
  return {
    title: 'Enter store credentials',
    done: unknown ? null : problems.length === 0,
    detail: problems.length > 0 ? problems.join(' ') : 'Every app has what its store asks for.',
    command: problems.length > 0 ? `${url}/dashboard` : null,
  };
}

function confirmed(facts: PlanFacts): Step {
  const waiting = facts.status?.needs_token_refresh ?? 0;
  const unconfirmed = facts.status?.unconfirmed_original_ids ?? 0;
  return {
    title: 'Import again with store credentials',
    done: facts.status && waiting === 0 && unconfirmed === 0,
    detail: `${waiting} subscriptions of Google Play wait for their purchase token, ${unconfirmed} of the App Store for their original transaction id.`,
    command: waiting > 0 ? `${importCommand(facts)} --google-tokens <csv>` : importCommand(facts),
  };
}

function statistics({ status }: PlanFacts): Step {
  return {
    title: 'Refresh the statistics of the database',
    done: null,
    detail: `Once, after the first 100,000 customers (now ${status?.customers ?? 'unknown'}), so that queries stay fast.`,
    command: 'psql "$DATABASE_URL" -c ANALYZE',
  };
}

function publicKeys(facts: PlanFacts): Step {
  const known = facts.apps.filter(({ hasSourceKey }) => hasSourceKey !== null);
  const different = known.filter(({ hasSourceKey }) => hasSourceKey === false);
  return {
    title: 'Keep the public keys',
    done: known.length === 0 ? null : different.length === 0,
    detail:
      known.length === 0
        ? 'Compared when the source is given (--source-key).'
        : different.length === 0
          ? 'Old builds of the apps find their key here.'
          : `Other keys than at the source: ${named(different)}.`,
    command: different.length > 0 ? importCommand(facts) : null,
  };
}

function appUpdate(facts: PlanFacts, app: PlanApp, fields: object): string {
  const { url, project } = facts.target;
  const body = JSON.stringify({ [app.type]: fields });
  return `curl -X POST ${url}/v2/projects/${project}/apps/${app.id} -H "Authorization: Bearer $TENURE_KEY" -H "Content-Type: application/json" -d '${body}'`;
}

/** Stores that send to a single address: this server forwards each notification. */
const FORWARDED = new Set(['app_store', 'mac_app_store']);

function notifications(app: PlanApp, facts: PlanFacts): Step[] {
  if (app.notificationUrl === null) return [];
  const isReady = app.notificationStatus === 'ready' || app.notificationStatus === 'received';
  const arrive: Step = {
    title: `Notifications of ${named([app])}`,
    done: isReady,
    detail: notificationDetail(app),
    command:
      app.type === 'play_store'
        ? `gcloud pubsub subscriptions create tenure-${app.id} --topic <the topic of the Play Console> --push-endpoint '${app.notificationUrl}'`
        : app.notificationUrl,
  };
  if (!FORWARDED.has(app.type)) return [arrive];
  const forward: Step = {
    title: `Forward notifications of ${named([app])} to the source`,
    done: app.forwardUrl !== null && (app.lastForwardStatus === null || app.lastForwardStatus === 200),
    detail:
      app.forwardUrl === null
        ? "The App Store sends to one address. Do this first, with the address that the source's app settings show."
        : `They go to ${app.forwardUrl}; the last answer was ${app.lastForwardStatus ?? 'none yet'}.`,
    command: appUpdate(facts, app, { notification_forward_url: '<notification address of the source>' }),
  };
  return [forward, arrive];
}

function notificationDetail(app: PlanApp): string {
  const status = `Now: ${app.notificationStatus ?? 'unknown'}.`;
  if (FORWARDED.has(app.type)) {
    return `Enter the address in App Store Connect, for production and for the sandbox. ${status}`;
  }
  if (app.type === 'play_store') {
    return `A second push subscription on the same topic; the source keeps its own. ${status}`;
  }
  return `Add the address at the store as a second endpoint; the source keeps its own. ${status}`;
}

function trackNewPurchases(facts: PlanFacts): Step {
  const apps = facts.apps.filter(({ notificationUrl }) => notificationUrl !== null);
  const off = apps.filter(({ trackNewPurchases: isOn }) => isOn === false);
  const unknown = apps.some(({ trackNewPurchases: isOn }) => isOn === null);
  return {
    title: 'Record purchases of old app versions',
    done: unknown ? null : off.length === 0,
    detail:
      off.length === 0
        ? 'track_new_purchases is on for every app.'
        : `Turn track_new_purchases on: ${named(off)}.`,
    command: off[0] ? appUpdate(facts, off[0], { track_new_purchases: true }) : null,
  };
}

function webhooks({ webhooks: count, target: { url, project } }: PlanFacts): Step {
  return {
    title: 'Send webhooks to a receiver that only logs',
    done: count === null ? null : count > 0,
    detail: `${count ?? 'An unknown number of'} integrations. Keep acting on those of the source; compare events by purchase, each side makes its own event ids.`,
    command: `curl -X POST ${url}/v2/projects/${project}/integrations/webhooks -H "Authorization: Bearer $TENURE_KEY" -H "Content-Type: application/json" -d '{"name": "log only", "url": "<receiver>"}'`,
  };
}

function sdks({ apps, target: { url } }: PlanFacts): Step[] {
  const has = (...types: string[]) => apps.some(({ type }) => types.includes(type));
  const steps: Step[] = [];
  const add = (platform: string, command: string) =>
    steps.push({
      title: `Release the app for ${platform} with the new address`,
      done: null,
      detail:
        'Staged. Turn response verification off. Call syncPurchases() once at the first start, and only where the source says subscribed and this server does not.',
      command,
    });
  if (has('app_store', 'mac_app_store')) add('Apple', `Purchases.proxyURL = URL(string: "${url}")`);
  if (has('play_store', 'amazon')) add('Android', `Purchases.proxyURL = URL("${url}")`);
  if (has('stripe', 'rc_billing', 'paddle')) add('the web', `httpConfig: { proxyURL: "${url}" }`);
  return steps;
}

function currencies({ currencies: all }: PlanFacts): Step {
  const waiting = all.filter((each) => each.hasGrantsAtSource === true && !each.hasGrantsAtTarget);
  const unknown = all.some((each) => each.hasGrantsAtSource === null && !each.hasGrantsAtTarget);
  return {
    title: 'Set the product grants of virtual currencies',
    done: unknown ? null : waiting.length === 0,
    detail:
      all.length === 0
        ? 'There are no virtual currencies.'
        : `After the switch: grants would credit renewals on both sides. ${waiting.length > 0 ? `Missing: ${waiting.map(({ code }) => code).join(', ')}.` : ''}`.trim(),
    command: null,
  };
}

function stopForwarding(facts: PlanFacts): Step {
  const forwarding = facts.apps.filter(({ forwardUrl }) => forwardUrl !== null);
  return {
    title: 'Stop forwarding and nightly imports, delete the source key',
    done: null,
    detail: `When the last builds with the old address are gone. ${forwarding.length > 0 ? `Forwarding: ${named(forwarding)}.` : 'Nothing is forwarded.'}`,
    command: forwarding[0] ? appUpdate(facts, forwarding[0], { notification_forward_url: null }) : null,
  };
}

/** Formats the steps as numbered text. */
export function planText(steps: readonly PlanStep[], facts: PlanFacts): string {
  const { url, project } = facts.target;
  const lines = [`Moving to ${project} at ${url}. [x] done, [ ] open, [?] this server cannot know.`, ''];
  for (const { step, title, done, detail, command } of steps) {
    const mark = done === null ? '?' : done ? 'x' : ' ';
    lines.push(`${String(step).padStart(2)}. [${mark}] ${title}`, `        ${detail}`);
    if (command !== null && done !== true) lines.push(`        ${command}`);
  }
  return `${lines.join('\n')}\n`;
}
