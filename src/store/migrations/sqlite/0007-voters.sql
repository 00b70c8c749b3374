-- The tasks whose agents vote in one round of a consensus.
CREATE TABLE consensus_voters (
  task TEXT PRIMARY KEY REFERENCES tasks (id),
  consensus INTEGER NOT NULL,
  round INTEGER NOT NULL,
  pos INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX consensus_voters_by_round ON consensus_voters (consensus, round, pos);
