-- What a key may do (read, write, a set of tools; everything if null), and from when on it is refused.
ALTER TABLE recalld.keys ADD COLUMN scopes text;
ALTER TABLE recalld.keys ADD COLUMN expires_at bigint;
