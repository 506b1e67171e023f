-- The arrays of batches have another shape (see classes.rs): every game is put into batches anew
-- once this step is done.
DELETE FROM columns;
DELETE FROM batches;
UPDATE games SET batch = NULL;

-- The number of the name of the file that a game came from.
ALTER TABLE games ADD COLUMN source INTEGER;
-- Plies, passes not counted: a move may take two bytes.
ALTER TABLE games ADD COLUMN length INTEGER NOT NULL DEFAULT 0;
UPDATE games SET length = length(moves);

-- Positions that something is known about. `hash` is the key of a position, in Othello of its least
-- image; `text` is the position as it was first seen.
CREATE TABLE positions(
  hash INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(hash, kind)
) WITHOUT ROWID;

-- What an analysis found, and who found it how. Scores are hundredths for the side to move.
CREATE TABLE analyses(
  hash INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  engine TEXT NOT NULL,
  version TEXT NOT NULL,
  -- Weights or options that decide what the engine finds.
  weights TEXT NOT NULL,
  limits TEXT NOT NULL,
  depth INTEGER NOT NULL,
  selective_depth INTEGER,
  is_solved INTEGER NOT NULL,
  score INTEGER NOT NULL,
  -- 0: exact, 1: at least, 2: at most.
  bound INTEGER NOT NULL,
  -- Moves in coordinates, on the board of `position`; the first is the best.
  line TEXT NOT NULL,
  position TEXT NOT NULL,
  nodes INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  PRIMARY KEY(hash, kind, engine, version, weights, depth)
) WITHOUT ROWID;
CREATE INDEX analyses_deep ON analyses(depth) WHERE depth >= 8;

-- Moves that were tried in games against oneself and in trees, counted.
CREATE TABLE moves(
  from_hash INTEGER NOT NULL,
  move TEXT NOT NULL,
  to_hash INTEGER NOT NULL,
  visits INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  avg_score REAL NOT NULL,
  novelty REAL NOT NULL,
  PRIMARY KEY(from_hash, move)
) WITHOUT ROWID;
CREATE INDEX moves_to ON moves(to_hash);

CREATE TABLE features(
  hash INTEGER PRIMARY KEY,
  mobility INTEGER,
  pot_mob INTEGER,
  frontier INTEGER,
  stability INTEGER,
  parity INTEGER,
  corners INTEGER,
  x_squares INTEGER,
  computed_engine_ver TEXT NOT NULL
);

CREATE TABLE game_notes(
  game INTEGER PRIMARY KEY,
  text TEXT NOT NULL
);
CREATE VIRTUAL TABLE game_notes_fts USING fts5(
  text, content = 'game_notes', content_rowid = 'game', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER game_notes_ai AFTER INSERT ON game_notes BEGIN
  INSERT INTO game_notes_fts(rowid, text) VALUES (new.game, new.text);
END;
CREATE TRIGGER game_notes_au AFTER UPDATE ON game_notes BEGIN
  INSERT INTO game_notes_fts(game_notes_fts, rowid, text) VALUES ('delete', old.game, old.text);
  INSERT INTO game_notes_fts(rowid, text) VALUES (new.game, new.text);
END;
CREATE TRIGGER game_notes_ad AFTER DELETE ON game_notes BEGIN
  INSERT INTO game_notes_fts(game_notes_fts, rowid, text) VALUES ('delete', old.game, old.text);
END;

-- Words that the user gave to games; the word is a name.
CREATE TABLE game_tags(
  tag INTEGER NOT NULL,
  game INTEGER NOT NULL,
  PRIMARY KEY(tag, game)
) WITHOUT ROWID;
CREATE INDEX game_tags_game ON game_tags(game);

-- What a review found, as whoever made it writes it; `maker` says who, with what.
CREATE TABLE reviews(
  game INTEGER NOT NULL,
  maker TEXT NOT NULL,
  is_done INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY(game, maker)
) WITHOUT ROWID;

CREATE TABLE searches(
  name TEXT PRIMARY KEY,
  query TEXT NOT NULL
) WITHOUT ROWID;

-- The names under which the user plays.
CREATE TABLE selves(name INTEGER PRIMARY KEY);

-- Times of chores, by what was done; seconds since 1970.
CREATE TABLE chores(
  what TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) WITHOUT ROWID;
