import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Refund requests of the App Store and chargebacks of Google Play, with their answers and outcomes. */
export class RefundRequests1796650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE refund_requests (
         project_id text NOT NULL,
         id text NOT NULL,
         app_id text NOT NULL,
         store text NOT NULL CHECK (store IN ('app_store', 'mac_app_store', 'play_store')),
         environment text NOT NULL CHECK (environment IN ('production', 'sandbox')),
         store_request_key text NOT NULL,
         sealed_refund_token text,
         customer_id text,
         subscription_id text,
         purchase_id text,
         product_id text,
         purchase_key text,
         store_product_id text,
         transaction_id text,
         order_id text,
         store_data jsonb,
         reason text,
         requested_at timestamptz(3) NOT NULL,
         received_at timestamptz(3) NOT NULL,
         deadline_at timestamptz(3) NOT NULL,
         policy_id text,
         policy_name text,
         decided_by text CHECK (decided_by IN ('policy', 'setting', 'customer_attribute', 'person')),
         preference text CHECK (preference IN ('grant_full', 'grant_prorated', 'decline', 'neutral',
           'do_not_answer')),
         delivery_status text CHECK (delivery_status IN ('delivered', 'undelivered_quality_issue',
           'undelivered_wrong_item', 'undelivered_server_outage', 'undelivered_other')),
         consumption_percentage integer,
         answer_status text NOT NULL CHECK (answer_status IN ('waiting', 'held', 'sent', 'refused', 'expired',
           'not_wanted')),
         answer_reason text CHECK (answer_reason IN ('off', 'not_the_buyer', 'unknown_purchase', 'no_consent',
           'customer_attribute', 'policy', 'person')),
         answered_at timestamptz(3),
         answered_by text,
         note text,
         facts jsonb,
         evidence jsonb,
         body_sent jsonb,
         due_at timestamptz(3),
         lease_until timestamptz(3),
         attempts integer NOT NULL,
         last_error text,
         last_error_at timestamptz(3),
         outcome text CHECK (outcome IN ('refunded', 'partially_refunded', 'declined', 'reversed',
           'no_resolution')),
         outcome_at timestamptz(3),
         outcome_key text,
         amount_micros bigint,
         currency char(3),
         usd_micros bigint,
         refunded_micros bigint,
         refunded_usd_micros bigint,
         PRIMARY KEY (project_id, id),
         FOREIGN KEY (project_id, app_id) REFERENCES apps (project_id, id) ON DELETE CASCADE
       )`,
    );
    const indexes = [
      'UNIQUE INDEX refund_requests_by_store_key ON refund_requests (project_id, app_id, store_request_key)',
      'INDEX refund_requests_by_time ON refund_requests (project_id, requested_at DESC, id DESC)',
      'INDEX refund_requests_by_customer ON refund_requests (project_id, customer_id)',
      'INDEX refund_requests_by_transaction ON refund_requests (project_id, app_id, transaction_id)',
      `INDEX refund_requests_by_order ON refund_requests (project_id, app_id, order_id)
         WHERE order_id IS NOT NULL`,
      `INDEX refund_requests_due ON refund_requests (project_id, app_id, due_at)
         WHERE due_at IS NOT NULL`,
      `INDEX refund_requests_open ON refund_requests (project_id, requested_at)
         WHERE outcome IS NULL`,
    ];
    for (const index of indexes) await queryRunner.query(`CREATE ${index}`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only run forward; restore a backup to go back.'));
  }
}
