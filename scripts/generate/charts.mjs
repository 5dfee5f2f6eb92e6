import { charts } from '../../dist/src/insights/charts/definitions/charts.js';

const introduction = `# Charts of a project

\`GET /v2/projects/{project_id}/charts/{chart}\` returns a chart, \`…/options\` what it can be split and filtered by.
(Generated from \`src/insights/charts/definitions\` by \`npm run docs:charts\`.)

- **What counts**: purchases of one \`environment\`, production by default; never family members, grants or what a test
  store sold. Customers are counted whatever their environment.
- **A subscription** in charts is a run of periods of one product without a gap of more than an hour. A change of product
  ends one and begins another; so does a lapse.
- **Time** is UTC. A bucket is named by its first day; weeks begin on the project's \`week_starts_on\`. A bucket is
  \`incomplete\` while time can still change it, or when the range cuts it.
- **Money** is in \`currency\`: each payment is converted at the rate of its day, a refund at the rate of what it takes back.
- **Refunds** are taken off on the day the money goes back. The overview's \`revenue\` takes them off on the day of sale
  ([metrics](metrics.md)); over all time both are equal. \`refund_rate\` alone looks back.
- **Country** is that of the purchase; where customers are counted, that of the customer's first contact.
- **First contact**: \`country\` of customers, \`platform\` and \`app_version\` are stored when the customer is created and never
  change. A customer created without an SDK (by REST, an import, a store notification) gets each from the first SDK that
  sends it; receipts posted with a secret key do not count. After a merge the customer with the earlier first day decides.
  Up to 0.8.0 a customer whose second contact was a receipt could have that contact's values. The upgrade fills values that
  are missing if the customer was last seen within a day of the first contact. Values that are already wrong stay, because
  nothing recorded the first ones.
- **Filters** of purchases never change how many customers there are, only what is counted of their purchases.
- **A rate** without anything to divide by is 0 in \`values\` and null in \`summary\`; the dashboard shows a dash.
- **Averages** leave incomplete buckets out unless all are incomplete. \`averaged_over\` says how many buckets they cover, and
  which; of these, rates leave out the ones without a denominator. The total of a range can differ from its average.
- **Dates** in answers are Unix seconds at midnight UTC, except \`last_computed_at\` (milliseconds). \`expand_periods\` makes
  the first bucket whole; the last one always ends at \`end_date\`.
- **Refunds of imported periods** end access, but leave the length of the period as it was paid. Without a known end the
  length is that of the product in the catalog, of another period of the product, or one month (\`periods_of_unknown_length\`
  of \`import/status\` counts these).
- **MRR counts the recurring part** of a payment only: the price of the plan with its add-ons. Set-up fees, one-time items,
  backdating, proration and credits on the same invoice are revenue, not MRR. After a change of plan or quantity without a new
  period, the full price of the new plan counts. A partial refund changes revenue, not MRR.
- **Free or prorated replacements** (Google Play) count the new plan's recurring price from the change on. Its length is the
  product's in the catalog; without one they count 0 until the first full renewal.
- **Unknown charts**, and charts that this server does not draw, answer 400 with \`param\` \`chart_name\`.
- **Attributes**: a project chooses up to five with \`chart_attributes\` (\`POST /v2/projects/{project_id}\`). Charts that are
  filtered or split by \`media_source\` then take \`custom_attribute:<name>\`, too. Everything that a customer did is counted at
  the **latest** value of the attribute, so past figures move when it changes. After a choice the charts are computed anew in
  the background; until then customers are in "Unknown". Of each attribute 200 values are told apart, those that most
  customers have at the choice, then new ones while there is room; the rest is "Other".
- **Names**: products and apps keep their ids as values of filters; segments show their names, which summaries, CSV and
  cohort tables are labelled with. Where two have the same name, the app or an id is added to it.
- \`offer_type\` is what the store calls the offer. An offer of which only a code is known is \`unspecified_offer\`.
- **CSV**: \`Accept: text/csv\` or \`format=csv\`.
- **Right after a change**: an answer first computes up to 500 changes that wait; with more, \`last_computed_at\` says how
  old it is. \`cohort_explorer\` keeps an answer for a minute.
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

/** Menus write names like sentences: `Realized LTV per customer`. */
function menuName(name) {
  const [first, ...others] = name.split(' ');
  return [first, ...others.map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))].join(' ');
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
