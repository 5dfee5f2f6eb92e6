export const testClockColumns = `
ALTER TABLE test_clocks
  -- How far its customers, taken together, were behind when it began to advance.
  ADD COLUMN advance_ms bigint,
  -- The customer who could not be advanced.
  ADD COLUMN failed_customer_id text;
`;
