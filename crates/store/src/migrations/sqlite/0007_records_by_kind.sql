-- For jobs: which spaces hold work that is still to be done, found without reading every space.
CREATE INDEX records_to_work_on ON records (kind, space) WHERE kind IN ('task', 'run', 'interaction');
