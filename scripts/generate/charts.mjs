import { charts } from '../../dist/src/insights/charts/definitions/charts.js';

const introduction = `# Charts of a project

\`GET /v2/projects/{project_id}/charts/{chart}\` returns a chart, \`…/options\` its filters and segments.
\`GET /v2/projects/{project_id}/charts\` returns one figure of every chart, with its values by time.
(Generated from \`src/insights/charts/definitions\` by \`npm run docs:charts\`.)

- **Purchases** of one \`environment\` count, production by default, but not family members, grants or purchases in a test
  store. Customers are counted in every environment.
- **A subscription** in charts is a run of periods of one product without a gap of more than an hour. A product change or
  a lapse ends one subscription and starts another.
- **Time** is UTC. A bucket is named after its first day; weeks start on the project's \`week_starts_on\`. A bucket is
  \`incomplete\` if its values can still change, or if the range covers only part of it.
- **Money** is in \`currency\`: each payment is converted at the rate of its day, a refund at the rate of the payment.
- **Refunds** are subtracted on the day of the refund. The overview's \`revenue\` subtracts them on the day of the original
  sale ([metrics](metrics.md)); the totals over all time are equal. Only \`refund_rate\` looks back.
- **Country** is that of the purchase; for customer counts, it is that of the customer's first contact.
- **First contact**: a customer's \`country\`, \`platform\` and \`app_version\` are stored when the customer is created and never
  change. A customer created without an SDK (by REST, an import, a store notification) gets each from the first SDK that
  sends it; receipts posted with a secret key do not count. After a merge, the values of the customer with the earlier
  first day count. Up to 0.8.0, if a customer's second contact was a receipt, its values could replace the first ones. The
  upgrade fills missing values if the customer was last seen within a day of the first contact. Wrong values stay, because
  the first ones were not recorded.
- **Filters** of purchases never change the number of customers, only which of their purchases count.
- **A rate** with a denominator of 0 is 0 in \`values\` and null in \`summary\`; the dashboard shows a dash.
- **Averages** exclude incomplete buckets unless all are incomplete. \`averaged_over\` says how many buckets they cover, and
  which; rates also exclude buckets without a denominator. The total of a range can differ from its average.
- **Dates** in answers are Unix seconds at midnight UTC, except \`last_computed_at\` (milliseconds). \`expand_periods\` extends
  the range to the start of its first bucket; the last bucket always ends at \`end_date\`.
- **Refunds of imported periods** end access, but do not change the length of the paid period. If the end is unknown, the
  length is that of the product in the catalog, of another period of the product, or one month (\`periods_of_unknown_length\`
  of \`import/status\` counts these).
- **MRR counts only the recurring part** of a payment: the price of the plan with its add-ons. Set-up fees, one-time items,
  backdating, proration and credits on the same invoice are revenue, not MRR. After a change of plan or quantity within a
  period, the full price of the new plan counts. A partial refund changes revenue, not MRR.
- **Free or prorated replacements** (Google Play) count the new plan's recurring price from the change on. Its length is the
  product's in the catalog; without one they count 0 until the first full renewal.
- **Unknown charts**, and charts that this server does not support, answer 400 with \`param\` \`chart_name\`.
- **Attributes**: a project can choose up to five with \`chart_attributes\` (\`POST /v2/projects/{project_id}\`). Charts with
  the filter or segment \`media_source\` then also accept \`custom_attribute:<name>\`. All of a customer's figures count under
  the **latest** value of the attribute, so past figures move when it changes. After you choose attributes, charts are
  recomputed in the background; until then customers are in "Unknown". Each attribute keeps 200 values: the most common
  ones at the time, then new ones while there is room. The rest is "Other".
- **Names**: filters use the ids of products and apps; segments, summaries, CSV files and cohort tables show their names.
  If two have the same name, the app or an id is added.
- \`offer_type\` is the store's type of the offer. If only a code is known, it is \`unspecified_offer\`.
- **CSV**: \`Accept: text/csv\` or \`format=csv\`.
- **Right after a change**: a request first processes up to 500 pending changes; if there are more, \`last_computed_at\` says
  how old the answer is.
- **Active customers** of today are counted when they are asked for. With more than 200,000 of them, today is counted
  every five minutes, and \`last_computed_at\` is that time.
- **Paywalls**: charts of paywalls count customers whose apps report views to this server
  ([events](sdk-events.md#android): apps on Android need one call). A customer counts on the day of the first view of any
  paywall that passes the filter; by \`paywall\`, on the first day of each one, so customers can be in several segments,
  and once in the total. Views without a paywall are "Unknown". Purchases count from five minutes before the view, because
  clocks of phones differ. Deleted events change nothing; deleted customers leave the charts.
- **Large projects**: a chart that reads the customers one by one, such as \`cohort_explorer\` with a filter, is computed in the background if that takes more than a few seconds. Until it is done, the answer is 503 with
  \`Retry-After\`, \`reason\` \`chart_computing\`, and the progress in \`message\`; asking again joins the computation. The
  answer is stored for at least 10 minutes, or 60 times as long as it took (at most 6 hours, and until midnight UTC);
  \`last_computed_at\` says how old it is, and \`fresh=true\` asks for a new one. A project computes at most 20 charts at a
  time (\`too_many_charts\`). After three failures, the answer is \`chart_failed\` for 10 minutes. The list of charts omits
  figures until they are computed. \`SERVICE_CHARTS_PARALLEL\` sets how many connections one chart uses.
- **Conversion, lifetime value and new customers** filtered or split by one dimension read sums, so their time depends on the
  range and the number of values, not on the number of customers: by country, platform, media source or install month of the
  customer; app, store, product, product duration, channel, offering or offer type of the purchase. Lifetime value must be in
  USD. Two dimensions, other dimensions, and one with more than 5,000 different sets of values read the customers.
- **Cohort explorer**: without a filter it reads sums of past days by the first days of customers, so its time depends on
  the range, not on the number of customers; only today's facts are read one by one. A filter,
  \`subscriptions_set_to_renew\`, and more than 31 days that are not summed yet (after an import of years) read the
  customers.
`;

function defaultsOf(selectors) {
  return Object.fromEntries(selectors.map((selector) => [selector.id, selector.options[0].id]));
}

function section({
  id,
  name,
  description,
  formula,
  example,
  display,
  measures,
  table,
  filters,
  segments,
  selectors,
}) {
  const columns =
    table === 'series'
      ? `\n\n| Measure | Unit | Meaning |\n| --- | --- | --- |\n${measures(defaultsOf(selectors))
          .map((measure) => `| ${measure.name} | ${measure.unit} | ${measure.description} |`)
          .join('\n')}`
      : '';
  const list = (ids) => (ids.length === 0 ? 'none' : ids.map((one) => `\`${one}\``).join(', '));
  const options = selectors
    .map(
      (selector) => `\n- Selector \`${selector.id}\`: ${list(selector.options.map((option) => option.id))}`,
    )
    .join('');
  return `## ${name}

\`${id}\` (${display.replace('_', ' ')}). ${description}

**${formula}.** ${example}${columns}

- Filters: ${list(filters)}
- Segments: ${list(segments)}${options}
`;
}

/** Menus write names like sentences: `Realized LTV per customer`, `Play Store cancel reasons`. */
function menuName(name) {
  const [first, ...others] = name.split(' ');
  return [first, ...others.map((word) => (/^([A-Z]+|Store)$/.test(word) ? word : word.toLowerCase()))].join(
    ' ',
  );
}

function listed({
  id,
  category,
  listedAs = category,
  name,
  about,
  display,
  table,
  time,
  measures,
  selectors,
}) {
  const units = table === 'series' ? measures(defaultsOf(selectors)).map(({ unit }) => unit) : [];
  const isWithoutMoney = table === 'retention' || (table === 'series' && !units.includes('$'));
  return {
    id,
    category: listedAs,
    name: menuName(name),
    about,
    ...(display === 'cohort' && { isCohorts: true }),
    ...((time === 'stock' || table === 'status') && { isState: true }),
    ...(isWithoutMoney && { isWithoutMoney }),
  };
}

const list = `import type { ListedChart } from './chart-list.js';

/** Generated from src/insights/charts/definitions by \`npm run docs:charts\`. */
export const generatedCharts: readonly ListedChart[] = ${JSON.stringify(charts.map(listed))};
`;

/** The page of all charts and the dashboard's list of them, from their definitions. */
export function generate() {
  return {
    'docs/charts.md': [introduction, ...charts.map(section)].join('\n'),
    'libs/dashboard/src/charts/chart-list.generated.ts': list,
  };
}
