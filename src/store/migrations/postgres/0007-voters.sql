-- The tasks whose agents vote in one round of a consensus.
CREATE TABLE consensus_voters (
  task TEXT PRIMARY KEY REFERENCES tasks (id),
  consensus BIGINT NOT NULL,
  round BIGINT NOT NULL,
  pos BIGINT NOT NULL
);
CREATE INDEX consensus_voters_by_round ON consensus_voters (consensus, round, pos);
