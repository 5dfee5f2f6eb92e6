import type { MailContent } from '../../platform/mail/mail.js';
import type { AppType } from '../../platform/principal/app-types.js';
import type { AlertNews } from './alert-mails.policy.js';
import type { AlertCause } from './project-alert.js';
import type { ProjectAlert } from './project-alert.entity.js';

const storeNames: Record<AppType, string> = {
  app_store: 'The App Store',
  mac_app_store: 'The Mac App Store',
  play_store: 'Google Play',
  amazon: 'Amazon',
  stripe: 'Stripe',
  rc_billing: 'Web billing',
  roku: 'Roku',
  paddle: 'Paddle',
  test_store: 'The Test Store',
};

export interface AlertMail {
  news: AlertNews;
  alert: Pick<ProjectAlert, 'projectId' | 'cause' | 'subjectId' | 'details' | 'openedAt' | 'resolvedAt'>;
  projectName: string;
  /** URL of the server. */
  baseUrl: string;
  /** Null for a mail that every admin gets, whatever their settings are. */
  oneClickUnsubscribeUrl: string | null;
}

type Text = Pick<MailContent, 'subject' | 'paragraphs'>;

/** Formats a time as `2026-01-02 03:04 UTC`. */
function time(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function webhookFailing({ alert: { details, openedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Webhook ${details.name} is failing (${projectName})`,
    paragraphs: [
      `The webhook ${details.name} of the project ${projectName} has been failing since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'No event is lost. One delivery at a time is tried, at least every five minutes, and the others wait until one succeeds.',
      'Check that the endpoint is up and answers with a 2xx status within the time limit.',
    ],
  };
}

function webhookWorks({ alert: { details, openedAt, resolvedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Webhook ${details.name} works again (${projectName})`,
    paragraphs: [
      `The webhook ${details.name} of the project ${projectName} accepts deliveries again` +
        `${resolvedAt ? ` since ${time(resolvedAt)}` : ''}. It had been failing since ${time(openedAt)}.`,
      'The events that waited are being sent. There is nothing to do.',
    ],
  };
}

function destinationFailing({ alert: { details, openedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Destination ${details.name} is failing (${projectName})`,
    paragraphs: [
      `The destination ${details.name} of the project ${projectName} has been failing since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'No event is lost. One delivery at a time is tried, at least every five minutes, and the others wait until one succeeds.',
      'Check the key and the settings on the page of the destination.',
    ],
  };
}

function destinationWorks({ alert: { details, openedAt, resolvedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Destination ${details.name} works again (${projectName})`,
    paragraphs: [
      `The destination ${details.name} of the project ${projectName} accepts events again` +
        `${resolvedAt ? ` since ${time(resolvedAt)}` : ''}. It had been failing since ${time(openedAt)}.`,
      'The events that waited are being sent. There is nothing to do.',
    ],
  };
}

function storeOf({ details }: AlertMail['alert']): string {
  return details.store ? storeNames[details.store] : 'The store';
}

function credentialsRefused({ alert, projectName }: AlertMail): Text {
  const { details, openedAt } = alert;
  return {
    subject: `${storeOf(alert)} refuses the credentials of ${details.name} (${projectName})`,
    paragraphs: [
      `${storeOf(alert)} has refused the credentials of the app ${details.name} in the project ${projectName} since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'Until the store accepts them, purchases that need its answer wait. They are retried automatically.',
      'Check the credentials on the page of the app, and replace them if they were revoked or have expired.',
    ],
  };
}

function credentialsAccepted({ alert, projectName }: AlertMail): Text {
  const { details, openedAt } = alert;
  return {
    subject: `${storeOf(alert)} accepts the credentials of ${details.name} again (${projectName})`,
    paragraphs: [
      `${storeOf(alert)} accepts the credentials of the app ${details.name} in the project ${projectName} again. ` +
        `It had refused them since ${time(openedAt)}.`,
      'The waiting work is being processed. There is nothing to do.',
    ],
  };
}

function notificationsSilent({ alert, projectName }: AlertMail): Text {
  const { details } = alert;
  const since = details.lastHeardAtMs === undefined ? '' : ` since ${time(new Date(details.lastHeardAtMs))}`;
  return {
    subject: `No notifications for ${details.name} (${projectName})`,
    paragraphs: [
      `${storeOf(alert)} has sent no notifications for the app ${details.name} of the project ${projectName}${since}, ` +
        'although its customers keep paying.',
      'Without them cancellations, refunds and billing problems are noticed late.',
      "Check the notification address in the store's console; the page of the app shows which one it must be.",
    ],
  };
}

function notificationsArrive({ alert, projectName }: AlertMail): Text {
  return {
    subject: `Notifications for ${alert.details.name} arrive again (${projectName})`,
    paragraphs: [
      `${storeOf(alert)} sends notifications for the app ${alert.details.name} of the project ${projectName} again.`,
      'There is nothing to do.',
    ],
  };
}

function experimentWarns({ alert: { details }, projectName }: AlertMail): Text {
  return {
    subject: `Experiment ${details.name} needs a look (${projectName})`,
    paragraphs: [
      `The results of the experiment ${details.name} of the project ${projectName} give reason to look at them.`,
      ...(details.message === undefined ? [] : [details.message]),
      'The experiment was not stopped: customers keep seeing their variants.',
    ],
  };
}

function sqlUserBlocked({ alert: { details, openedAt }, projectName }: AlertMail): Text {
  return {
    subject: `SQL user ${details.name} is blocked (${projectName})`,
    paragraphs: [
      `The SQL user ${details.name} of the project ${projectName} cannot connect since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'Locks of a SQL user can stop the server from recording purchases, so its sessions were ended.',
      'Find out which program takes the locks. Replacing the password allows the user again.',
    ],
  };
}

function exportFailing({ alert: { details, openedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Export ${details.name} is failing (${projectName})`,
    paragraphs: [
      `Runs of the export ${details.name} of the project ${projectName} have been failing since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'No row is lost. The next run that succeeds delivers everything since the last one that did.',
      'Check the destination with its test, then run the export again.',
    ],
  };
}

function exportWorks({ alert: { details, openedAt, resolvedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Export ${details.name} works again (${projectName})`,
    paragraphs: [
      `A run of the export ${details.name} of the project ${projectName} succeeded` +
        `${resolvedAt ? ` at ${time(resolvedAt)}` : ''}. Its runs had been failing since ${time(openedAt)}.`,
      'The files contain everything since the last run that succeeded. There is nothing to do.',
    ],
  };
}

function exportDestinationAdded({ alert: { details, openedAt }, projectName }: AlertMail): Text {
  return {
    subject: `Export destination ${details.name} (${projectName})`,
    paragraphs: [
      `The project ${projectName} can deliver its data to ${details.name} since ${time(openedAt)}.`,
      ...(details.message === undefined ? [] : [details.message]),
      'If you do not know why, delete the destination and check who may change integrations of the project.',
    ],
  };
}

interface AlertPage {
  /** In the project, of the subject with this id. */
  path: (id: string) => string;
  label: string;
}

/** Dashboard page about a problem, by cause. */
const pages: Record<AlertCause, AlertPage> = {
  webhook_failing: { path: (id) => `webhooks/${id}`, label: 'Open the webhook' },
  destination_failing: { path: (id) => `integrations/${id}`, label: 'Open the destination' },
  credentials_refused: { path: (id) => `apps/${id}`, label: 'Open the app' },
  notifications_silent: { path: (id) => `apps/${id}`, label: 'Open the app' },
  experiment_warning: { path: (id) => `experiments/${id}`, label: 'Open the experiment' },
  sql_user_blocked: { path: () => 'integrations/sql-access', label: 'Open SQL access' },
  export_failing: { path: (id) => `integrations/exports/${id}`, label: 'Open the export' },
  export_destination_added: {
    path: () => 'integrations/exports?tab=destinations',
    label: 'Open the destinations',
  },
};

type TextOf = (mail: AlertMail) => Text;

const problems: Record<AlertCause, TextOf> = {
  webhook_failing: webhookFailing,
  destination_failing: destinationFailing,
  credentials_refused: credentialsRefused,
  notifications_silent: notificationsSilent,
  experiment_warning: experimentWarns,
  sql_user_blocked: sqlUserBlocked,
  export_failing: exportFailing,
  export_destination_added: exportDestinationAdded,
};

/** Causes whose end is mailed. */
const recoveries: Partial<Record<AlertCause, TextOf>> = {
  webhook_failing: webhookWorks,
  destination_failing: destinationWorks,
  credentials_refused: credentialsAccepted,
  notifications_silent: notificationsArrive,
  export_failing: exportWorks,
};

function textOf(mail: AlertMail): Text {
  const { cause } = mail.alert;
  const recovery = mail.news === 'recovery' ? recoveries[cause] : undefined;
  return (recovery ?? problems[cause])(mail);
}

export function alertMail(mail: AlertMail): MailContent {
  const { alert, baseUrl, projectName, oneClickUnsubscribeUrl } = mail;
  const { path, label } = pages[alert.cause];
  return {
    ...textOf(mail),
    action: {
      label,
      url: `${baseUrl}/projects/${encodeURIComponent(alert.projectId)}/${path(encodeURIComponent(alert.subjectId))}`,
    },
    ...(oneClickUnsubscribeUrl === null
      ? { reason: `You get this mail because you are an admin of ${projectName}.` }
      : {
          reason: `You get this mail because alert emails are on for your account and you work on ${projectName}.`,
          unsubscribeUrl: `${baseUrl}/account`,
          oneClickUnsubscribeUrl,
        }),
  };
}
