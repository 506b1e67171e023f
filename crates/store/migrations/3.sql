-- Numbers that only grow: the greatest number that a deleted game had ('game'), and how many games
-- were deleted ('deleted').
CREATE TABLE counters(
  what TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) WITHOUT ROWID;

-- A review belongs to a line of moves, whoever played it: a game of a file and the same game on the
-- desk have one review. Nothing was ever written into the table of version 2.
DROP TABLE reviews;
CREATE TABLE reviews(
  id INTEGER PRIMARY KEY,
  -- Digest of game, start and moves.
  line INTEGER NOT NULL,
  -- Who made it, with what: another engine or effort is another review.
  maker TEXT NOT NULL,
  is_done INTEGER NOT NULL,
  -- When it came this far; seconds since 1970.
  at INTEGER NOT NULL,
  opening TEXT NOT NULL,
  -- As the maker writes it.
  data BLOB NOT NULL,
  UNIQUE(line, maker)
);
-- What each side did in each phase. `accuracy` is the sum over the moves with a choice.
CREATE TABLE review_parts(
  review INTEGER NOT NULL,
  side INTEGER NOT NULL,
  phase TEXT NOT NULL,
  moves INTEGER NOT NULL,
  choices INTEGER NOT NULL,
  loss INTEGER NOT NULL,
  accuracy REAL NOT NULL,
  PRIMARY KEY(review, side, phase)
) WITHOUT ROWID;
CREATE TABLE mistakes(
  review INTEGER NOT NULL,
  -- Which move of the game it is, from 1; passes are not counted.
  number INTEGER NOT NULL,
  side INTEGER NOT NULL,
  phase TEXT NOT NULL,
  severity TEXT NOT NULL,
  class TEXT,
  loss INTEGER NOT NULL,
  PRIMARY KEY(review, number)
) WITHOUT ROWID;
-- Games that were reviewed, with their lines.
CREATE TABLE reviewed(
  game INTEGER PRIMARY KEY,
  line INTEGER NOT NULL
);
CREATE INDEX reviewed_line ON reviewed(line);

-- Work that goes on after a restart, and the games that it is about.
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  -- What is to be done, as whoever does it writes it.
  spec TEXT NOT NULL,
  -- 0: to be done, 1: stands still until the user lets it go on, 2: over.
  state INTEGER NOT NULL,
  at INTEGER NOT NULL
);
CREATE TABLE job_games(
  job INTEGER NOT NULL,
  place INTEGER NOT NULL,
  game INTEGER NOT NULL,
  is_done INTEGER NOT NULL,
  -- Why nothing came of it.
  problem TEXT,
  PRIMARY KEY(job, place)
) WITHOUT ROWID;
