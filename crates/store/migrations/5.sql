-- Arrays fill pages to their ends, and one that does not fit goes on in the row behind it (see
-- pages.rs). The rows have other numbers: every game is put into batches anew once this step is done.
DELETE FROM columns;
DELETE FROM batches;
UPDATE games SET batch = NULL;
-- Whether the array goes on.
ALTER TABLE columns ADD COLUMN is_cut INTEGER;
