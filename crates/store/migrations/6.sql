-- Whose file this is, so that no other program's database is taken for ours: "Kbtz".
PRAGMA application_id = 1264743546;
-- How many games had been deleted when the reading of a file began: if some were deleted since, the
-- file may have games that the database lacks. Of files that were read before, that is not known.
ALTER TABLE imports ADD COLUMN deleted INTEGER NOT NULL DEFAULT -1;
