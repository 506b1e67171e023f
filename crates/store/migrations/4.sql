-- Batches count the positions that many of their games met (see often.rs): every game is put into
-- batches anew once this step is done.
DELETE FROM columns;
DELETE FROM batches;
UPDATE games SET batch = NULL;
