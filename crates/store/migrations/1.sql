-- Players, events, sites: each text once. `kind` says what it names (see names.rs).
CREATE TABLE names(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE(kind, text)
);
CREATE VIRTUAL TABLE names_fts USING fts5(
  text, content = 'names', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER names_ai AFTER INSERT ON names BEGIN
  INSERT INTO names_fts(rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER names_ad AFTER DELETE ON names BEGIN
  INSERT INTO names_fts(names_fts, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER names_au AFTER UPDATE ON names BEGIN
  INSERT INTO names_fts(names_fts, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO names_fts(rowid, text) VALUES (new.id, new.text);
END;

-- A game is a row. `batch` is NULL until its positions have columns.
CREATE TABLE games(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  batch INTEGER,
  black INTEGER NOT NULL,
  white INTEGER NOT NULL,
  event INTEGER NOT NULL,
  -- yyyymmdd, with zeros for what is not known.
  date INTEGER NOT NULL,
  -- The first player's score: discs in Othello, 1, 0 or -1 in chess. NULL: not known.
  score INTEGER,
  black_elo INTEGER,
  white_elo INTEGER,
  -- The text of a start position that is not the usual one.
  start TEXT,
  moves BLOB NOT NULL,
  -- Digest of players, date, start and moves.
  identity INTEGER NOT NULL,
  -- Other tags, one a line: name, tab, value. NULL: none.
  tags TEXT,
  -- The whole record in a notation of its game, where it says more than all of the above.
  annotated BLOB
);
CREATE INDEX games_tail ON games(id) WHERE batch IS NULL;

CREATE TABLE batches(
  id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  n INTEGER NOT NULL
);
-- The arrays of a batch: id = 256 × batch + column (see columns.rs).
CREATE TABLE columns(
  id INTEGER PRIMARY KEY,
  data BLOB NOT NULL
);

-- How far a file was read, so that an import goes on where it was stopped.
CREATE TABLE imports(
  source TEXT PRIMARY KEY,
  records INTEGER NOT NULL,
  stored INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  problems INTEGER NOT NULL,
  is_done INTEGER NOT NULL
);

-- A note belongs to a position, whatever the moves before it: the key of its least image.
CREATE TABLE notes(
  hash INTEGER PRIMARY KEY,
  position TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE VIRTUAL TABLE notes_fts USING fts5(
  text, content = 'notes', content_rowid = 'hash', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER notes_ai AFTER INSERT ON notes BEGIN
  INSERT INTO notes_fts(rowid, text) VALUES (new.hash, new.text);
END;
CREATE TRIGGER notes_au AFTER UPDATE ON notes BEGIN
  INSERT INTO notes_fts(notes_fts, rowid, text) VALUES ('delete', old.hash, old.text);
  INSERT INTO notes_fts(rowid, text) VALUES (new.hash, new.text);
END;
CREATE TRIGGER notes_ad AFTER DELETE ON notes BEGIN
  INSERT INTO notes_fts(notes_fts, rowid, text) VALUES ('delete', old.hash, old.text);
END;
